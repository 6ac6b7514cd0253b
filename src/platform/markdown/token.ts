import type MarkdownIt from 'markdown-it'

export type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

export function createToken(like: Token, type: string, tag: string, nesting: -1 | 0 | 1, content: string): Token {
  const TokenClass = like.constructor as new (type: string, tag: string, nesting: -1 | 0 | 1) => Token
  return Object.assign(new TokenClass(type, tag, nesting), { content })
}
