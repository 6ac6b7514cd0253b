import { createHash } from 'node:crypto'
import { accentColors } from './accent-colors.ts'
import { escapeHtml } from './escape-html.ts'

export type PageTheme = {
  workspace: string
  color: string | null
  /** URL of the logo on the same host. */
  logoUrl?: string | null
  /** `auto` follows the system. */
  mode?: 'auto' | 'light' | 'dark'
}

/** `body` is HTML. A page without a script may submit its forms to the same host. */
export type HtmlPage = {
  title: string
  body: string
  script?: string
  width?: 'narrow' | 'wide'
  /** Shows images, media and documents of the same host. */
  embedsFiles?: boolean
  /** CSS of this page only. */
  style?: string
}

const style = `
:root { color-scheme: light dark }
body { font: 16px/1.6 system-ui, sans-serif; background: canvas; color: canvastext; max-width: 24rem; margin: 3rem auto; padding: 0 1rem }
body.wide { max-width: 64rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { padding: .25rem .75rem; border: 1px solid #8888; text-align: left }
header { border-top: 6px solid var(--accent); padding-top: 1rem; font-weight: 600; overflow-wrap: anywhere; display: flex; gap: .6rem; align-items: center }
header svg { flex: none; color: var(--accent) }
h1 { font-size: 1.4rem; line-height: 1.3 }
h1:focus { outline: none }
h2 { font-size: 1.1rem; margin-top: 2rem }
pre, output { display: block; padding: .75rem; border: 1px solid #8888; border-radius: 6px; overflow-x: auto; font: 14px/1.5 ui-monospace, monospace }
output { overflow-wrap: anywhere }
.divider { display: flex; gap: 1rem; align-items: center; margin: 1.25rem 0 0 }
.divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid #8888 }
label { display: block; margin-top: 1rem; font-weight: 600 }
small { display: block }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem }
input[aria-invalid=true] { outline: 2px solid #c62828 }
button, .button { font: inherit; cursor: pointer; display: block; width: 100%; box-sizing: border-box; margin-top: 1rem; padding: .6rem; text-align: center; border: 1px solid currentcolor; border-radius: 6px; background: none; color: inherit; text-decoration: none }
.button svg { vertical-align: -3px; margin-right: .5rem }
.reveal { width: auto; margin-top: .25rem; padding: .1rem 0; border: 0; font-size: .875rem; text-decoration: underline }
[type=submit] { background: var(--accent); color: var(--ink); border-color: var(--accent) }
[type=submit]:disabled { opacity: .6 }
[role=alert]:not(:empty) { border-left: 4px solid #c62828; padding-left: .75rem }
[hidden] { display: none !important }
`

const logo =
  '<svg width="28" height="28" viewBox="0 0 28 28" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" aria-hidden="true"><path d="M14 26V13M14 16C14 9 9 9 6 3M14 16C14 9 19 9 22 3M14 13V3"/></svg>'

/** Allows one inline style by its hash and either the script and its requests to this host, or forms. */
const contentSecurityPolicy = (styles: string, { script, embedsFiles }: HtmlPage, frameAncestors: string): string =>
  [
    "default-src 'none'",
    "base-uri 'none'",
    `form-action ${script ? "'none'" : "'self'"}`,
    `frame-ancestors ${frameAncestors}`,
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...(embedsFiles ? ["img-src 'self' data:", "media-src 'self'", "frame-src 'self'"] : ['img-src data:']),
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  ].join('; ')

export function renderPage({ workspace, color }: PageTheme, page: HtmlPage, frameAncestors = "'none'") {
  const accent = accentColors(color)
  const styles = `${style}${page.style ?? ''}:root { --accent: ${accent.color}; --ink: ${accent.ink} }\n`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} – ${escapeHtml(workspace)}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
${page.script ? `<script type="module" src="${page.script}"></script>` : ''}
</head>
<body${page.width === 'wide' ? ' class="wide"' : ''}>
<header>${logo}<span>${escapeHtml(workspace)}</span></header>
<main>
${page.body}
</main>
</body>
</html>
`
  return { html, policy: contentSecurityPolicy(styles, page, frameAncestors) }
}
