import type MarkdownIt from 'markdown-it'

export const linkRel = 'nofollow ugc noopener'

const mentionUrl = /^mention:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

export const mentionIdIn = (url: string): string | undefined => mentionUrl.exec(url)?.[1]?.toLowerCase()

/** Gives mentions a text without formatting, so that they have one form in the HTML. */
export function renderMentions(tokens: readonly Token[], toText: (tokens: readonly Token[]) => string): Token[] {
  const rendered: Token[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    const id = token.type === 'link_open' ? mentionIdIn(String(token.attrGet('href') ?? '')) : undefined
    if (id === undefined) {
      rendered.push(token)
      continue
    }
    let end = index + 1
    while (tokens[end]!.type !== 'link_close') end++
    const text = createToken(token, 'text', '', 0, toText(tokens.slice(index + 1, end)))
    rendered.push(withUrl(token, `mention:${id}`), text, tokens[end]!)
    index = end
  }
  return rendered
}

const withUrl = (token: Token, url: string): Token =>
  Object.assign(Object.create(Object.getPrototypeOf(token)) as Token, token, {
    attrs: [
      ['href', url],
      ['rel', linkRel],
    ],
  })

export type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

export function createToken(like: Token, type: string, tag: string, nesting: -1 | 0 | 1, content: string): Token {
  const TokenClass = like.constructor as new (type: string, tag: string, nesting: -1 | 0 | 1) => Token
  return Object.assign(new TokenClass(type, tag, nesting), { content })
}
