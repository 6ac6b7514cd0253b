export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

/** Whether each word of the query begins a word of the text. */
export const matchesText = (text: string, query: string): boolean =>
  wordsOf(query).every((word) => findWordStart(text.toLowerCase(), word) >= 0)

function findWordStart(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]!)) return at
  return -1
}

export type TextPart = { text: string; isMatch: boolean }

/** Splits a text into the parts that match a word of the query and the parts between them. */
export function splitMatches(text: string, query: string): TextPart[] {
  const lower = text.toLowerCase()
  // Some letters change their length in lower case, and the positions would be wrong.
  const words = lower.length === text.length ? wordsOf(query) : []
  const ranges = words
    .map((word) => ({ start: findWordStart(lower, word), length: word.length }))
    .filter(({ start }) => start >= 0)
    .sort((one, other) => one.start - other.start || other.length - one.length)
  const parts: TextPart[] = []
  let end = 0
  for (const { start, length } of ranges) {
    if (start < end) continue
    if (start > end) parts.push({ text: text.slice(end, start), isMatch: false })
    end = start + length
    parts.push({ text: text.slice(start, end), isMatch: true })
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false })
  return parts
}
