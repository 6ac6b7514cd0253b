import MarkdownIt from 'markdown-it'
import { invalid, toFieldName } from '#platform/errors'

/** Stored with rendered HTML, so that a job can render older texts again. Increase it when the output changes. */
export const markdownVersion = 1

const maxInputLength = 100_000
const maxOutputLength = 50_000
const maxLevel = 20

const allowedTags = new Set(
  'p br strong em s del code pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td hr a'.split(' '),
)
const headings: Record<string, string> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' }
const allowedUrl = /^(https?:\/\/|mailto:)[^\s<>"]+$/i
const alignment = /^text-align:(left|center|right)$/

const parser = new MarkdownIt({ html: false, linkify: true, typographer: false })
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
parser.validateLink = (url) => allowedUrl.test(url)
parser.renderer.rules.fence = parser.renderer.rules.code_block = (tokens, index) =>
  `<pre><code>${parser.utils.escapeHtml(tokens[index]!.content)}</code></pre>\n`

type Token = ReturnType<typeof parser.parse>[number]

/** Converts CommonMark with tables, strikethrough and links to HTML that is safe to show. Raw HTML is shown as text. */
export function renderMarkdown(text: string, path = '/body'): string {
  const reject = (code: string, problem: string) => invalid('body', path, code, `\`${toFieldName(path)}\` ${problem}`)
  if (text.length > maxInputLength)
    throw reject('maxLength', `must not have more than ${maxInputLength.toLocaleString('en')} characters.`)
  const tokens = parser.parse(text, {})
  if (tokens.some(({ level, children }) => level + deepestLevel(children) > maxLevel))
    throw reject('depth', `must not be nested more than ${maxLevel} levels deep.`)
  restrictTokens(tokens)
  const html = parser.renderer.render(tokens, parser.options, {})
  if (html.length > maxOutputLength)
    throw reject('too_long', `must not have more than ${maxOutputLength.toLocaleString('en')} characters as HTML.`)
  return html
}

const deepestLevel = (tokens: Token[] | null): number =>
  (tokens ?? []).reduce((deepest, { level }) => Math.max(deepest, level), 0)

function restrictTokens(tokens: Token[]): void {
  for (const token of tokens) {
    token.tag = headings[token.tag] ?? token.tag
    token.attrs = allowedAttributes(token)
    if (token.children) {
      token.children = replaceImages(token.children)
      restrictTokens(token.children)
    }
    if (token.tag && !allowedTags.has(token.tag)) throw new Error(`Markdown must not produce the tag ${token.tag}.`)
  }
}

function allowedAttributes({ type, attrs }: Token): [string, string][] | null {
  const attribute = (name: string) => String(attrs?.find(([key]) => key === name)?.[1] ?? '')
  if (type === 'link_open')
    return [
      ['href', allowedUrl.test(attribute('href')) ? attribute('href') : '#'],
      ['rel', 'nofollow ugc noopener'],
    ]
  const [, align] = alignment.exec(attribute('style')) ?? []
  return align && (type === 'th_open' || type === 'td_open') ? [['align', align]] : null
}

/** Shows images as links, or as text within a link, because loading them would tell another server about the reader. */
function replaceImages(tokens: Token[]): Token[] {
  let isInLink = false
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') isInLink = true
    if (token.type === 'link_close') isInLink = false
    if (token.type !== 'image') return [token]
    const url = String(token.attrGet('src'))
    const text = createToken(token, 'text', '', 0, token.content || url)
    if (isInLink) return [text]
    const link = createToken(token, 'link_open', 'a', 1, '')
    link.attrs = [['href', url]]
    return [link, text, createToken(token, 'link_close', 'a', -1, '')]
  })
}

function createToken(like: Token, type: string, tag: string, nesting: -1 | 0 | 1, content: string): Token {
  const TokenClass = like.constructor as new (type: string, tag: string, nesting: -1 | 0 | 1) => Token
  return Object.assign(new TokenClass(type, tag, nesting), { content })
}
