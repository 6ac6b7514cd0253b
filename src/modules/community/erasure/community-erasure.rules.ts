export const toMentionUrl = (userId: string): string => `mention:${userId}`

/** Replaces links of the form `[@Ann](mention:id)` with a text. */
export function replaceMentionsOf(userId: string, body: string, text: string): string {
  const link = new RegExp(`\\[(?:[^\\[\\]\\\\]|\\\\.)*\\]\\(\\s*<?${toMentionUrl(userId)}>?[^)]*\\)`, 'gi')
  return body.replace(link, () => text)
}
