/** A paragraph, list item or table cell of a page, with the line where it starts. */
type Passage = { line: number; text: string }

const isText = (line: string) => line.trim() && !/^\s*(#|<!--)/.test(line)
const listMarker = /^\s*([-*]|\d+\.)\s+/

/** Splits a page into its passages, without headings, comments and code blocks. */
export function splitPassages(lines: string[]): Passage[] {
  const passages: Passage[] = []
  let open: Passage | undefined
  let isInCode = false
  for (const [index, line] of lines.entries()) {
    const isFence = /^\s*```/.test(line)
    if (isFence) isInCode = !isInCode
    if (isFence || isInCode || !isText(line)) {
      open = undefined
    } else if (line.trimStart().startsWith('|')) {
      open = undefined
      for (const cell of line.split(/(?<!\\)\|/)) passages.push({ line: index + 1, text: cell.trim() })
    } else if (open && !listMarker.test(line)) {
      open.text += ` ${line.trim()}`
    } else {
      open = { line: index + 1, text: line.replace(listMarker, '').trim() }
      passages.push(open)
    }
  }
  return passages
}

/** Splits at `.`, `!` and `?` before a space, also if a quote, a bracket or the end of bold text follows. */
export const splitSentences = (text: string): string[] => text.split(/(?<=[.!?]["')*]*)\s+/)

/** Counts words with a letter or digit: a dash or an operator between spaces is none. */
export const countWords = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
