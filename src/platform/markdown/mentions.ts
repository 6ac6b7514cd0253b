import { escapeHtml } from '#platform/html'
import { createToken, type Token } from './token.ts'

export const linkRel = 'nofollow ugc noopener'

const mentionUrl = /^mention:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

export const mentionIdIn = (url: string): string | undefined => mentionUrl.exec(url)?.[1]?.toLowerCase()

/** Keeps links to the given ids, with a text without formatting, and replaces other mentions with their text. */
export function renderMentions(
  tokens: readonly Token[],
  mentionableIds: ReadonlySet<string>,
  toText: (tokens: readonly Token[]) => string,
): Token[] {
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
    rendered.push(...(mentionableIds.has(id) ? [withUrl(token, `mention:${id}`), text, tokens[end]!] : [text]))
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

const renderedMention = new RegExp(`<a href="mention:([0-9a-f-]{36})" rel="${linkRel}">[^<]*</a>`, 'g')

/** Shows mentions in rendered HTML with the current names of the users, as links with their ids or as plain text. */
export const nameMentions = (
  html: string,
  nameOf: (id: string) => string,
  { isLinked }: { isLinked: boolean },
): string =>
  html.replace(renderedMention, (_link, id: string) => {
    const text = escapeHtml(`@${nameOf(id)}`)
    return isLinked ? `<a href="mention:${id}" rel="${linkRel}">${text}</a>` : text
  })
