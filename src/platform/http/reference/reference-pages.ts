import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { ErrorDescription } from '#platform/errors'
import { escapeHtml } from '#platform/html'

const strictPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Scalar inserts inline styles at run time, so style-src cannot use hashes. */
export const referencePolicy = [
  strictPolicy,
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
].join('; ')

export const referencePage = (scriptHash: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tributary API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page requires JavaScript. The OpenAPI document is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="/reference/scalar.js?v=${scriptHash}"></script>
</body>
</html>
`

const style = `
:root { color-scheme: light dark }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; line-height: 1.3 }
code { font-family: ui-monospace, monospace }
`
const styleHash = createHash('sha256').update(style).digest('base64')

export const errorPolicy = `${strictPolicy}; style-src 'sha256-${styleHash}'; img-src data:`

const toHtml = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

export const errorPage = (
  code: string,
  { status, title, description, remedy }: ErrorDescription,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} (${code})</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<p><code>${code}</code>, status ${status} ${STATUS_CODES[status]}</p>
<h1>${escapeHtml(title)}</h1>
<p>${toHtml(description)}</p>
<p><strong>What to do:</strong> ${toHtml(remedy)}</p>
<p><a href="/reference">API reference</a></p>
</body>
</html>
`
