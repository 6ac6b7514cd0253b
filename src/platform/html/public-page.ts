import { createHash } from 'node:crypto'
import { attributes } from './attributes.ts'
import { type BrandColors, type ColorTheme, calculateBrandColors } from './brand-colors.ts'
import { escapeHtml } from './escape-html.ts'

export type PageTheme = {
  workspace: string
  color: string | null
  /** URL of the logo on the same host. */
  logoUrl?: string | null
  /** `auto` follows the system. */
  mode?: 'auto' | 'light' | 'dark'
}

/** A page for people without the web application. Its parts are HTML. */
export type PublicPage = {
  title: string
  language: string
  layout: 'survey' | 'card-page' | 'room' | 'viewer' | 'document'
  /** Link to the content, the first one for the keyboard. */
  skipLink?: string
  header: string
  /** Links below the header. */
  navigation?: string
  main: string
  footer: string
  /** URL of the script of the page. Without it, the page works with forms only. */
  script?: string
  /** `none` if the script submits the forms, so that no password is sent in another way. Otherwise `self`. */
  formAction?: 'self' | 'none'
  /** Shows media and documents of the same host. */
  embedsFiles?: boolean
}

type Surroundings = { stylesheetUrl: string; frameAncestors?: string }

export function renderPublicPage(
  { workspace, color, mode = 'auto' }: PageTheme,
  page: PublicPage,
  { stylesheetUrl, frameAncestors = "'none'" }: Surroundings,
): { html: string; policy: string } {
  const { title, language, layout, skipLink = '', header, navigation = '', main, footer, script } = page
  const brandStyle = brandStyleOf(color, mode)
  const html = `<!doctype html>
<html${attributes({ lang: language, 'data-theme': mode })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – ${escapeHtml(workspace)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheetUrl}">
<style>${brandStyle}</style>
${script ? `<script type="module" src="${script}"></script>` : ''}
</head>
<body class="${layout}">
${skipLink}<header>${header}</header>
${navigation}<main>
${main}
</main>
<footer class="legal">${footer}</footer>
</body>
</html>
`
  const hash = createHash('sha256').update(brandStyle).digest('base64')
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    `form-action '${page.formAction ?? 'self'}'`,
    `frame-ancestors ${frameAncestors}`,
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...(page.embedsFiles ? ["media-src 'self'", "frame-src 'self'"] : []),
    "img-src 'self' data:",
    "font-src 'self'",
    `style-src 'self' 'sha256-${hash}'`,
  ]
  return { html, policy: policy.join('; ') }
}

/** Shows the logo, otherwise the first letter of the workspace and its name. */
export function renderSender(workspace: string, logoUrl?: string | null): string {
  const name = escapeHtml(workspace)
  if (logoUrl) return `<span class="logo"><img${attributes({ src: logoUrl, alt: workspace })}></span>`
  const initial = escapeHtml(([...workspace.trim()][0] ?? '').toUpperCase())
  return `<span class="sender"><span class="initial" aria-hidden="true">${initial}</span>${name}</span>`
}

const maxCachedStyles = 1_000
const cachedStyles = new Map<string, string>()

/** Keeps the styles of some colors, because calculating one takes about two milliseconds. */
function brandStyleOf(color: string | null, mode: 'auto' | ColorTheme): string {
  const key = `${mode} ${color?.toLowerCase()}`
  const cached = cachedStyles.get(key)
  if (cached !== undefined) return cached
  const style = renderBrandStyle(color, mode)
  if (cachedStyles.size >= maxCachedStyles) cachedStyles.clear()
  cachedStyles.set(key, style)
  return style
}

function renderBrandStyle(color: string | null, mode: 'auto' | ColorTheme): string {
  if (mode !== 'auto') return `:root{${declare(color, mode)}}`
  return `:root{${declare(color, 'light')}}@media (prefers-color-scheme:dark){:root{${declare(color, 'dark')}}}`
}

const propertyOf: Record<keyof BrandColors, string> = {
  fill: '--brand',
  fillHover: '--brand-hover',
  textOnFill: '--on-brand',
  text: '--brand-text',
  mark: '--brand-mark',
  softBackground: '--brand-soft',
  pageBackground: '--brand-wash',
  line: '--brand-line',
  focus: '--focus',
}

const declare = (color: string | null, theme: ColorTheme): string =>
  Object.entries(calculateBrandColors(color, theme))
    .map(([name, value]) => `${propertyOf[name as keyof BrandColors]}:${value}`)
    .join(';')
