export const csvDelimiters = [',', ';', '\t', '|'] as const
export type CsvDelimiter = (typeof csvDelimiters)[number]

const maxLines = 50

/** Selects the delimiter that separates most lines into as many cells as the first. */
export function detectDelimiter(sample: string): CsvDelimiter {
  const lines = countDelimiters(sample)
  const [header] = lines
  let best: { delimiter: CsvDelimiter; matches: number; count: number } | undefined
  for (const delimiter of csvDelimiters) {
    const count = header?.get(delimiter) ?? 0
    if (count === 0) continue
    const matches = lines.filter((line) => line.get(delimiter) === count).length
    if (!best || matches > best.matches || (matches === best.matches && count > best.count))
      best = { delimiter, matches, count }
  }
  return best?.delimiter ?? ','
}

function countDelimiters(sample: string): Map<string, number>[] {
  const lines: Map<string, number>[] = []
  let line = new Map<string, number>()
  let isQuoted = false
  let isEmpty = true
  for (const character of sample) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) {
      isEmpty = false
    } else if (character === '\n' || character === '\r') {
      if (!isEmpty && lines.push(line) === maxLines) return lines
      line = new Map()
      isEmpty = true
    } else {
      isEmpty = false
      if ((csvDelimiters as readonly string[]).includes(character)) line.set(character, (line.get(character) ?? 0) + 1)
    }
  }
  if (lines.length === 0) lines.push(line)
  return lines
}
