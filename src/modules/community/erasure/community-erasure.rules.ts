export const toMentionUrl = (userId: string): string => `mention:${userId}`

const escapeOrBracket = /\\[\s\S]|\[/g

/** Replaces links of the form `[@Ann](mention:id)` with a text. A link begins at a bracket that is not escaped. */
export function replaceMentionsOf(userId: string, body: string, text: string): string {
  const linkStart = new RegExp(`\\[(?:[^\\[\\]\\\\]|\\\\[\\s\\S])*\\]\\(\\s*<?${toMentionUrl(userId)}`, 'iy')
  let [replaced, end] = ['', 0]
  for (const { 0: found, index } of body.matchAll(escapeOrBracket)) {
    linkStart.lastIndex = index
    if (found !== '[' || index < end || !linkStart.test(body)) continue
    const close = body.indexOf(')', linkStart.lastIndex)
    if (close < 0) break
    replaced += body.slice(end, index) + text
    end = close + 1
  }
  return replaced + body.slice(end)
}
