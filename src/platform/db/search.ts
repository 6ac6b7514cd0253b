/** Letters that are one letter with a stroke or two in one, so that taking accents off does not change them. */
const plainLetters: Record<string, string> = {
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

/** Text as it is kept to be searched: without case, accents and doubled spaces. Parts that are missing are left out. */
export function searchText(...parts: (string | null | undefined)[]): string {
  return parts
    .filter((part) => part)
    .map((part) => fold(part!))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The words of a search, as `searchText` would have kept them. The longest comes first: it narrows down the most. */
export function searchWords(search: string): string[] {
  const words = searchText(search).split(' ').filter(Boolean)
  return [...new Set(words)].sort((one, other) => other.length - one.length)
}

/** What LIKE is to look for: the words anywhere, and nothing in them is a wildcard. */
export const wordPatterns = (search: string): string[] =>
  searchWords(search).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)

const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøłđðþħı]/g, (letter) => plainLetters[letter]!)
    .normalize('NFC')
