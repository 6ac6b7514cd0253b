import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { catalogue } from '#platform/errors'
import { escaped } from '#platform/html'

const nothingElse = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Scalar writes its styles into the page, which no hash can foresee. Scripts and data come from this server only. */
export const referencePolicy = [
  nothingElse,
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
<noscript>This page needs JavaScript. The same is in <a href="/api/openapi.json">/api/openapi.json</a>, for machines.</noscript>
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

export const errorPolicy = `${nothingElse}; style-src 'sha256-${styleHash}'; img-src data:`

type Explanation = (typeof catalogue)[string]

export const errorPage = (code: string, { status, title, meaning, action }: Explanation): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} (${code})</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<p><code>${code}</code>, status ${status} ${STATUS_CODES[status]}</p>
<h1>${escaped(title)}</h1>
<p>${escaped(meaning)}</p>
<p><strong>What to do:</strong> ${escaped(action)}</p>
<p><a href="/reference">API reference</a></p>
</body>
</html>
`
