import { createHash } from 'node:crypto'
import { accentColors, escapeHtml } from '#platform/html'

export type PageTheme = { workspace: string; color: string | null; minPasswordLength: number }
export type AccountPage = { title: string; script: string; sections: string[] }

const style = `
:root { color-scheme: light dark }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 24rem; margin: 3rem auto; padding: 0 1rem }
header { border-top: 6px solid var(--accent); padding-top: 1rem; font-weight: 600; overflow-wrap: anywhere }
h1 { font-size: 1.4rem; line-height: 1.3 }
label { display: block; margin-top: 1rem; font-weight: 600 }
small { display: block }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem }
input[aria-invalid=true] { outline: 2px solid #c62828 }
button, .button { font: inherit; cursor: pointer; display: block; width: 100%; box-sizing: border-box; margin-top: 1rem; padding: .6rem; text-align: center; border: 1px solid currentcolor; border-radius: 6px; background: none; color: inherit; text-decoration: none }
[type=submit] { background: var(--accent); color: var(--ink); border-color: var(--accent) }
[type=submit]:disabled { opacity: .6 }
[role=alert]:not(:empty) { border-left: 4px solid #c62828; padding-left: .75rem }
[hidden] { display: none !important }
`

/** Allows scripts and requests to this server only, one inline style by its hash, and no form submission without a script. */
const contentSecurityPolicy = (styles: string): string =>
  [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  ].join('; ')

export function renderPage({ workspace, color }: PageTheme, { title, script, sections }: AccountPage) {
  const accent = accentColors(color)
  const styles = `${style}:root { --accent: ${accent.color}; --ink: ${accent.ink} }\n`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – ${escapeHtml(workspace)}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
<script type="module" src="/pages/${script}"></script>
</head>
<body>
<header>${escapeHtml(workspace)}</header>
<main>
<p id="problem" role="alert"></p>
<p id="news" role="status"></p>
<noscript>This page needs JavaScript.</noscript>
${sections.join('\n')}
</main>
</body>
</html>
`
  return { html, policy: contentSecurityPolicy(styles) }
}
