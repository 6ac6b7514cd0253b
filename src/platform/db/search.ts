import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** Letters that Unicode normalization does not decompose into a base letter and an accent. */
const baseLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}

export function toSearchText(...parts: (string | null | undefined)[]): string {
  return parts
    .filter((part) => part)
    .map((part) => fold(part!))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns the distinct normalized words, longest first because it is the most selective. */
export function toSearchWords(search: string): string[] {
  const words = toSearchText(search).split(' ').filter(Boolean)
  return [...new Set(words)].sort((left, right) => right.length - left.length)
}

export const toLikePatterns = (search: string): string[] =>
  toSearchWords(search).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)

const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøłđðþħı]/g, (letter) => baseLetters[letter]!)
    .normalize('NFC')

/** True if the text contains one of the others, ignoring case. Finds them in JSON too. Never uses an index. */
export function containsAnyText(text: Expression<unknown>, others: readonly string[]): RawBuilder<SqlBool> {
  const escaped = others.map((other) => JSON.stringify(other).slice(1, -1))
  const patterns = [...new Set([...others, ...escaped])].map((other) => `%${other.replace(/[\\%_]/g, '\\$&')}%`)
  return sql<SqlBool>`lower(${text}) like any (array(select lower(pattern) from unnest(${patterns}::text[]) as pattern))`
}

/** Among more matches, those that are read first are ranked. */
export const maxRanked = 1_000

/** Ranks a search text: 0 if it begins with the search, 1 if a word of it does, otherwise 2. */
export function searchRank(searchText: RawBuilder<unknown>, search: string): RawBuilder<number> {
  const start = ` ${toSearchText(search)}`
  return sql`case when starts_with(${searchText}, ${start}) then 0 when strpos(${searchText}, ${start}) > 0 then 1 else 2 end`
}
