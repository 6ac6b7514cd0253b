import { escapeHtml } from '#platform/html'
import type { ParsedTemplate } from './parse-template.rules.ts'
import { fillTemplate, type RenderedTemplate, type TemplateValues } from './template.rules.ts'

type LinkOptions = {
  toUrl?(url: string): string
}

/**
 * Renders a plain text, or an HTML document in which blank lines separate paragraphs and the URLs of the template are links. URLs in
 * values are plain text, because values come from outside.
 */
export function renderTemplate(
  template: ParsedTemplate,
  values: TemplateValues,
  format: 'text' | 'html',
  { toUrl = (url) => url }: LinkOptions = {},
): RenderedTemplate {
  const filled = fillTemplate(template, values)
  if ('missing' in filled) return filled
  const text = filled.parts.map((part) => (typeof part === 'string' ? part.replaceAll(valueMark, '') : valueMark))
  const inserted = filled.parts.flatMap((part) => (typeof part === 'string' ? [] : part.value)).values()
  const split = (part: string) => insertValues(splitAtUrls(part), inserted)
  if (format === 'text') return { content: split(text.join('')).map(toText(toUrl)).join('') }
  const label = (url: string) => (url === values.unsubscribe_url ? 'Unsubscribe' : url)
  const toLink = (url: string) => `<a href="${escapeHtml(toUrl(url))}">${escapeHtml(label(url))}</a>`
  return { content: toHtml(text.join(''), (part) => split(part).map(toInlineHtml(toLink)).join('')) }
}

/** Stands for a value while URLs are searched. PostgreSQL cannot store it, so that no template contains it. */
const valueMark = '\0'

/** Values are percent-encoded in links. A URL whose host or user would depend on a value is no link. */
function insertValues(parts: readonly TextPart[], values: Iterator<string>): TextPart[] {
  const insert = (text: string, encode: (value: string) => string) =>
    text.replaceAll(valueMark, () => encode(values.next().value!))
  const asWritten = (value: string) => value
  return parts.map((part) => {
    if (typeof part === 'string') return insert(part, asWritten)
    if (!hasConstantHost(part.url)) return insert(part.url, asWritten)
    return { url: insert(part.url, (value) => encodeURIComponent(value.toWellFormed())) }
  })
}

function hasConstantHost(url: string): boolean {
  const [one, other] = ['a', 'b'].map((value) => {
    const parsed = URL.parse(url.replaceAll(valueMark, value))
    return parsed && [parsed.protocol, parsed.username, parsed.password, parsed.host].join(' ')
  })
  return one !== null && one === other
}

const toText =
  (toUrl: (url: string) => string) =>
  (part: TextPart): string =>
    typeof part === 'string' ? part : toUrl(part.url)

const toInlineHtml =
  (toLink: (url: string) => string) =>
  (part: TextPart): string =>
    typeof part === 'string' ? escapeHtml(part).replace(/\r?\n/g, '<br>') : toLink(part.url)

const bodyStyle = 'margin:0;padding:16px;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:23px'

function toHtml(text: string, renderInline: (paragraph: string) => string): string {
  const paragraphs = text
    .split(/\r?\n(?:[\t ]*\r?\n)+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p style="margin:0 0 16px">${renderInline(paragraph)}</p>`)
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="${bodyStyle}">
${paragraphs.join('\n')}
</body>
</html>
`
}

type TextPart = string | { url: string }

const urlPattern = /https?:\/\/[^\s<>"'`{}|\\^]{1,2000}/gi

/** Finds the http and https URLs of a text with value marks. Punctuation at the end of a sentence is not a part of a URL. */
function splitAtUrls(text: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(urlPattern)) {
    const url = withoutPunctuation(found)
    if (!URL.canParse(url.replaceAll(valueMark, 'a'))) continue
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
