import MarkdownIt from 'markdown-it'
import { createToken, linkRel, mentionIdIn, renderMentions, type Token } from './mention-tokens.ts'

const maxLevel = 20

const allowedTags = new Set(
  'p br strong em del code pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td hr a'.split(' '),
)
const replacedTags: Record<string, string> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6', s: 'del' }
const allowedUrl = /^(https?:\/\/|mailto:)[^\s<>"]+$/i
const alignment = /^text-align:(left|center|right)$/

const parser = new MarkdownIt({ html: false, linkify: true, typographer: false })
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
parser.validateLink = (url) => allowedUrl.test(url) || mentionIdIn(url) !== undefined
parser.renderer.rules.fence = parser.renderer.rules.code_block = (tokens, index) =>
  `<pre><code>${parser.utils.escapeHtml(tokens[index]!.content)}</code></pre>\n`

export type ParsedText = {
  /** Ids in links of the form `[@Ann](mention:id)`, in order and possibly repeated. */
  mentionedIds: string[]
  /** Without formatting; blocks are separated by line breaks. */
  text: string
  /** All mentions are links. */
  html: string
}
export type Refusal = { code: string; problem: string }

/** Blocks the thread: callers check the budget first, and large texts are parsed in a thread of their own. */
export function parseText(source: string): ParsedText | Refusal {
  const tokens = parser.parse(source, {})
  if (tokens.some(({ level, children }) => level + deepestLevel(children) > maxLevel))
    return { code: 'depth', problem: `must not be nested more than ${maxLevel} levels deep.` }
  restrictTokens(tokens)
  const shown = tokens.map((token) =>
    token.children ? withChildren(token, renderMentions(token.children, plainTextOf)) : token,
  )
  return {
    mentionedIds: tokens.flatMap(({ children }) => (children ?? []).flatMap((token) => mentionIdOf(token) ?? [])),
    text: toPlainText(tokens),
    html: parser.renderer.render(shown, parser.options, {}),
  }
}

const deepestLevel = (tokens: Token[] | null): number =>
  (tokens ?? []).reduce((deepest, { level }) => Math.max(deepest, level), 0)

const mentionIdOf = (token: Token): string | undefined =>
  token.type === 'link_open' ? mentionIdIn(attributeOf(token, 'href')) : undefined

const withChildren = (token: Token, children: Token[]): Token =>
  Object.assign(Object.create(Object.getPrototypeOf(token)) as Token, token, { children })

function toPlainText(tokens: readonly Token[]): string {
  const blocks = tokens.map((token) => (token.children ? plainTextOf(token.children) : token.content))
  return blocks
    .map((block) => block.trim())
    .filter(Boolean)
    .join('\n')
}

const plainTextOf = (tokens: readonly Token[]): string =>
  tokens.map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content)).join('')

function restrictTokens(tokens: Token[]): void {
  for (const token of tokens) {
    token.tag = replacedTags[token.tag] ?? token.tag
    token.attrs = allowedAttributes(token)
    if (token.children) {
      token.children = removeRefusedLinks(replaceImages(token.children))
      restrictTokens(token.children)
    }
    if (token.tag && !allowedTags.has(token.tag)) throw new Error(`Markdown must not produce the tag ${token.tag}.`)
  }
}

const attributeOf = ({ attrs }: Token, name: string): string => String(attrs?.find(([key]) => key === name)?.[1] ?? '')

function allowedAttributes(token: Token): [string, string][] | null {
  const { type } = token
  if (type === 'link_open') {
    return [
      ['href', attributeOf(token, 'href')],
      ['rel', linkRel],
    ]
  }
  const [, align] = alignment.exec(attributeOf(token, 'style')) ?? []
  return align && (type === 'th_open' || type === 'td_open') ? [['align', align]] : null
}

function isAllowedLink(token: Token): boolean {
  const url = attributeOf(token, 'href')
  return allowedUrl.test(url) || (token.markup !== 'autolink' && mentionIdIn(url) !== undefined)
}

/** Keeps the text of links without an allowed address, as of `[text]()`. Links are never nested. */
function removeRefusedLinks(tokens: Token[]): Token[] {
  let isRefused = false
  return tokens.filter((token) => {
    if (token.type === 'link_open') isRefused = !isAllowedLink(token)
    return !(isRefused && (token.type === 'link_open' || token.type === 'link_close'))
  })
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
    if (isInLink || !allowedUrl.test(url)) return [text]
    const link = createToken(token, 'link_open', 'a', 1, '')
    link.attrs = [['href', url]]
    return [link, text, createToken(token, 'link_close', 'a', -1, '')]
  })
}
