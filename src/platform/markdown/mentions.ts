import { escapeHtml } from '#platform/html'
import { linkRel } from './mention-tokens.ts'

const renderedMention = new RegExp(`<a href="mention:([0-9a-f-]{36})" rel="${linkRel}">([^<]*)</a>`, 'g')

/** Replaces mentions of other ids with their text. */
export const keepMentions = (html: string, ids: ReadonlySet<string>): string =>
  html.replace(renderedMention, (link, id: string, text: string) => (ids.has(id) ? link : text))

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
