import { createHash } from 'node:crypto'
import { type BrandColors, type ColorTheme, calculateBrandColors } from './brand-colors.ts'
import { escapeHtml } from './escape-html.ts'
import type { PageTheme } from './page.ts'

/** A page for people outside of the workspace. Its parts are HTML; it has forms and no script. */
export type PublicPage = {
  title: string
  language: string
  layout: 'survey'
  header: string
  main: string
  footer: string
}

type Surroundings = { stylesheetUrl: string; frameAncestors?: string }

export function renderPublicPage(
  { workspace, color }: PageTheme,
  { title, language, layout, header, main, footer }: PublicPage,
  { stylesheetUrl, frameAncestors = "'none'" }: Surroundings,
): { html: string; policy: string } {
  const brandStyle = brandStyleOf(color)
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – ${escapeHtml(workspace)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheetUrl}">
<style>${brandStyle}</style>
</head>
<body class="${layout}">
<header>${header}</header>
<main>
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
    "form-action 'self'",
    `frame-ancestors ${frameAncestors}`,
    'img-src data:',
    "font-src 'self'",
    `style-src 'self' 'sha256-${hash}'`,
  ]
  return { html, policy: policy.join('; ') }
}

export const renderSender = (workspace: string): string =>
  `<span class="sender"><span class="initial" aria-hidden="true">${escapeHtml(([...workspace.trim()][0] ?? '').toUpperCase())}</span>${escapeHtml(workspace)}</span>`

const maxCachedStyles = 1_000
const cachedStyles = new Map<string, string>()

/** Keeps the styles of some colors, because calculating one takes about two milliseconds. */
function brandStyleOf(color: string | null): string {
  const key = color?.toLowerCase() ?? ''
  const cached = cachedStyles.get(key)
  if (cached !== undefined) return cached
  const style = `:root{${declare(color, 'light')}}@media (prefers-color-scheme:dark){:root{${declare(color, 'dark')}}}`
  if (cachedStyles.size >= maxCachedStyles) cachedStyles.clear()
  cachedStyles.set(key, style)
  return style
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
