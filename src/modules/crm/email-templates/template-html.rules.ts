import { escapeHtml } from '#platform/html'
import { fillTemplate, type ParsedTemplate, type RenderedTemplate, type TemplateValues } from './template.rules.ts'

/** Renders a plain text, or an HTML document in which blank lines separate paragraphs and URLs are links. */
export function renderTemplate(
  template: ParsedTemplate,
  values: TemplateValues,
  format: 'text' | 'html',
): RenderedTemplate {
  const filled = fillTemplate(template, values)
  if ('missing' in filled || format === 'text') return filled
  return { content: toHtml(filled.content, values.unsubscribe_url ?? null) }
}

const bodyStyle = 'margin:0;padding:16px;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:23px'

function toHtml(text: string, unsubscribeUrl: string | null): string {
  const paragraphs = text
    .split(/\r?\n(?:[\t ]*\r?\n)+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p style="margin:0 0 16px">${toInlineHtml(paragraph, unsubscribeUrl)}</p>`)
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="${bodyStyle}">
${paragraphs.join('\n')}
</body>
</html>
`
}

const toInlineHtml = (text: string, unsubscribeUrl: string | null): string =>
  splitAtUrls(text)
    .map((part) => {
      if (typeof part === 'string') return escapeHtml(part).replace(/\r?\n/g, '<br>')
      const label = part.url === unsubscribeUrl ? 'Unsubscribe' : part.url
      return `<a href="${escapeHtml(part.url)}">${escapeHtml(label)}</a>`
    })
    .join('')

export type TextPart = string | { url: string }

const urlPattern = /https?:\/\/[^\s<>"'`{}|\\^]{1,2000}/gi

/** Finds the http and https URLs of a text. Punctuation at the end of a sentence is not a part of a URL. */
export function splitAtUrls(text: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(urlPattern)) {
    const url = withoutPunctuation(found)
    if (!URL.canParse(url)) continue
    if (index > at) parts.push(text.slice(at, index))
    parts.push({ url })
    at = index + url.length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

function withoutPunctuation(url: string): string {
  let unopened = url.split(')').length - url.split('(').length
  let end = url.length
  while (end > 0) {
    const last = url[end - 1]!
    if (last === ')' && unopened > 0) unopened -= 1
    else if (!'.,;:!?]*_'.includes(last)) break
    end -= 1
  }
  return url.slice(0, end)
}
