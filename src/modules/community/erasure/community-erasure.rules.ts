/** Replaces links of the form `[@Ann](mention:id)` with a text. */
export function replaceMentionsOf(userId: string, body: string, text: string): string {
  const link = new RegExp(`\\[(?:[^\\[\\]\\\\]|\\\\.)*\\]\\(\\s*<?mention:${userId}>?[^)]*\\)`, 'gi')
  return body.replace(link, () => text)
}
