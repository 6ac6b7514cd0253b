import { createHash } from 'node:crypto'
import { accentColors, escapeHtml } from '#platform/html'
import type { LinkState } from './unsubscribe.service.ts'

type PageTheme = { workspace: string; color: string | null }
type PageState = LinkState | 'invalid'

const style = `
:root { color-scheme: light dark }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 24rem; margin: 3rem auto; padding: 0 1rem }
header { border-top: 6px solid var(--accent); padding-top: 1rem; font-weight: 600; overflow-wrap: anywhere }
h1 { font-size: 1.4rem; line-height: 1.3 }
button { font: inherit; cursor: pointer; width: 100%; padding: .6rem; border: 0; border-radius: 6px; background: var(--accent); color: var(--ink) }
`

export function renderUnsubscribePage({ workspace, color }: PageTheme, state: PageState) {
  const accent = accentColors(color)
  const styles = `${style}:root { --accent: ${accent.color}; --ink: ${accent.ink} }\n`
  const [title, content] = describeState(workspace, state)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} – ${escapeHtml(workspace)}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
<header>${escapeHtml(workspace)}</header>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`
  return { html, policy: contentSecurityPolicy(styles) }
}

function describeState(workspace: string, state: PageState): [title: string, content: string] {
  if (state === 'invalid') return ['This link is not valid', '<p>Open the link of a newer email, or reply to it.</p>']
  const address = `<strong>${escapeHtml(state.email_masked)}</strong>`
  const sender = escapeHtml(workspace)
  if (state.status === 'unsubscribed')
    return ['You are unsubscribed', `<p>${address} gets no more of these emails from ${sender}.</p>`]
  return [
    'Unsubscribe',
    `<p>Stop sending these emails from ${sender} to ${address}?</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">Unsubscribe</button>
</form>`,
  ]
}

const contentSecurityPolicy = (styles: string): string =>
  [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    'img-src data:',
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  ].join('; ')
