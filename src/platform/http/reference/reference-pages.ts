import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { ErrorDescription } from '#platform/errors'
import { escapeHtml } from '#platform/html'
import type { OpenApiDocument, OperationObject } from '../openapi/document.ts'
import { webhookTag } from '../openapi/webhooks.ts'

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

export const tagPage = (tag: string, scriptHash: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(tag)} – Tributary API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page requires JavaScript. The OpenAPI document is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<div id="reference" data-url="/reference/tags/${escapeHtml(tag)}/openapi.json"></div>
<script src="/reference/scalar.js?v=${scriptHash}"></script>
</body>
</html>
`

const style = `
:root { color-scheme: light dark }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; line-height: 1.3 }
code { font-family: ui-monospace, monospace }
pre { padding: .75rem; border: 1px solid #8888; border-radius: 6px; overflow-x: auto; font-size: 14px }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { padding: .2rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884 }
td code { white-space: nowrap }
body.wide { max-width: 60rem }
`
const styleHash = createHash('sha256').update(style).digest('base64')

export const plainPolicy = `${strictPolicy}; style-src 'sha256-${styleHash}'; img-src data:`

const toHtml = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** A page without scripts, so that it is readable at once. `title` and `content` are HTML. */
const plainPage = (title: string, content: string, { isWide = false } = {}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body${isWide ? ' class="wide"' : ''}>
${content}
</body>
</html>
`

export const errorPage = (code: string, { status, title, description, remedy }: ErrorDescription): string =>
  plainPage(
    `${escapeHtml(title)} (${code})`,
    `<p><code>${code}</code>, status ${status} ${STATUS_CODES[status]}</p>
<h1>${escapeHtml(title)}</h1>
<p>${toHtml(description)}</p>
<p><strong>What to do:</strong> ${toHtml(remedy)}</p>
<p><a href="/reference">API reference</a></p>`,
  )

type Operations = Record<string, Record<string, OperationObject>>

/** Shows the introduction and a link to every operation. */
export const indexPage = (document: OpenApiDocument, introduction: string): string =>
  plainPage(
    'Tributary API reference',
    `<h1>Tributary API reference</h1>
<p>The <a href="#operations">operations</a> are listed below, by resource. The OpenAPI document is at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
${introduction}
<h1 id="operations">Operations</h1>
${(document.tags ?? []).map((tag) => tagSection(document, tag)).join('\n')}`,
    { isWide: true },
  )

/** Lists the webhook events with links to their resources. One document with all of them would be larger than every other page. */
export const webhooksPage = (document: OpenApiDocument): string =>
  plainPage(
    'Webhook events – Tributary API reference',
    `<p><a href="/reference">API reference</a></p>
${(document.tags ?? [])
  .filter(({ name }) => name === webhookTag)
  .map((tag) => tagSection(document, tag))
  .join('')}`,
    { isWide: true },
  )

function tagSection({ paths, webhooks = {} }: OpenApiDocument, tag: { name: string; description: string }): string {
  const rows = [...operationRows(paths, tag.name), ...operationRows(webhooks, tag.name, 'webhook/')]
  const title = (tag as { 'x-displayName'?: string })['x-displayName'] ?? tag.name
  return `<h2 id="${tag.name}"><a href="/reference/tags/${tag.name}">${escapeHtml(title)}</a></h2>
<p>${toHtml(tag.description)}</p>
<table>${rows.join('')}</table>`
}

const operationRows = (paths: Operations, tag: string, kind = ''): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags?.includes(tag))
      .map(([method, { summary, 'x-resource': resource = tag }]) => {
        const hash = `#tag/${tag}/${kind}${method.toUpperCase()}${kind && '/'}${path}`
        const link = `<a href="/reference/tags/${resource}${escapeHtml(hash)}">${escapeHtml(summary ?? path)}</a>`
        return `<tr><td>${link}</td><td><code>${kind ? '' : `${method.toUpperCase()} `}${escapeHtml(path)}</code></td></tr>\n`
      }),
  )
