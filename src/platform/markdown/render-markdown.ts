import { AppError, invalid, toFieldName } from '#platform/errors'
import { escapeHtml } from '#platform/html'
import { defineTextWork, TextTooComplexError } from '#platform/text-work'
import { checkBudget, costOf, isCheap } from './budget.ts'
import { keepMentions } from './mentions.ts'
import { type ParsedText, parseText, type Refusal } from './parse-text.ts'

/** Stored with rendered HTML, so that older texts can be rendered again. Increase it when the output changes. */
export const markdownVersion = 1

const maxHtmlLength = 50_000
const tooComplex: Refusal = { code: 'too_complex', problem: 'takes too long to format. Shorten or simplify it.' }

const parseInThread = defineTextWork({
  file: new URL('./parse-text.ts', import.meta.url),
  run: parseText,
  isCheap: (source) => isCheap(costOf(source)),
})

export type MarkdownDocument = {
  /** Ids in links of the form `[@Ann](mention:id)`, in order and possibly repeated. */
  mentionedIds: string[]
  /** Without formatting; blocks are separated by line breaks. */
  text: string
  /** Mentions of other ids are plain text. */
  toHtml(mentionableIds: ReadonlySet<string>): string
}

/** `key`: the workspace; `path`: the field in error messages. */
type MarkdownOptions = { key: string; path?: string; maxLength?: number }

/** Converts CommonMark with tables, strikethrough and links to HTML that is safe to show. Raw HTML is shown as text. */
export const renderMarkdown = async (source: string, options: MarkdownOptions): Promise<string> =>
  (await parseMarkdown(source, options)).toHtml(new Set())

/** Waits for a thread if the text is expensive, so it must not be called in a transaction of a request. */
export async function parseMarkdown(
  source: string,
  { key, path = '/body', maxLength = maxHtmlLength }: MarkdownOptions,
): Promise<MarkdownDocument> {
  const parsed = await parseWithinBudget(key, source, maxLength)
  if ('problem' in parsed) throw invalid('body', path, parsed.code, `\`${toFieldName(path)}\` ${parsed.problem}`)
  return toDocument(parsed)
}

async function parseWithinBudget(key: string, source: string, maxLength: number): Promise<ParsedText | Refusal> {
  const refusal = checkBudget(costOf(source))
  if (refusal) return refusal
  const parsed = await parseInThread(key, source).catch(toRefusal)
  return 'html' in parsed && parsed.html.length > maxLength
    ? { code: 'too_long', problem: `must not have more than ${maxLength.toLocaleString('en')} characters as HTML.` }
    : parsed
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof TextTooComplexError) return tooComplex
  throw error
}

const toDocument = ({ mentionedIds, text, html }: ParsedText): MarkdownDocument => ({
  mentionedIds,
  text,
  toHtml: (mentionableIds) => keepMentions(html, mentionableIds),
})

/** Parses a text that was accepted before. One that is refused now is shown without formatting. */
export async function parseStoredMarkdown(source: string, options: MarkdownOptions): Promise<MarkdownDocument> {
  try {
    return await parseMarkdown(source, options)
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return toDocument({ mentionedIds: [], text: source, html: renderUnformatted(source, options) })
  }
}

const maxEscapedCharacter = '&quot;'.length

/** Cuts a text that would be too long as HTML. */
function renderUnformatted(source: string, { maxLength = maxHtmlLength }: MarkdownOptions): string {
  const html = `<p>${escapeHtml(source)}</p>`
  if (html.length <= maxLength) return html
  const shown = Math.floor((maxLength - '<p>…</p>'.length) / maxEscapedCharacter)
  return `<p>${escapeHtml(source.slice(0, shown))}…</p>`
}

export const renderStoredMarkdown = async (source: string, options: MarkdownOptions): Promise<string> =>
  (await parseStoredMarkdown(source, options)).toHtml(new Set())
