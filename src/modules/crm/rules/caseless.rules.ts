/**
 * Letters whose lower case depends on the language or the place in a word. They are settled before anything is put in lower
 * case, here and in PostgreSQL, so that both agree in every locale that knows letters beyond ASCII.
 */
export const settledLetters = { from: 'IİΣς', to: 'iiσσ' }

/** Letters that stay when accents are taken off, and what they are taken for. */
export const strokedLetters = { from: 'øłđðħıς', to: 'olddhiσ' }
export const doubledLetters: readonly (readonly [string, string])[] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
]

/** Both patterns are read alike by JavaScript and PostgreSQL; classes such as \w are not. */
export const accents = '[\\u0300-\\u036f]'
/** Punctuation and symbols of ASCII, Latin, CJK and all writing, and emoji. Everything else is part of a word. */
export const betweenWords = `[${[
  '\\u0001-\\u002f\\u003a-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7',
  '\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u30fb',
  '\\u2000-\\u2bff\\u2e00-\\u2e7f\\ufe00-\\ufe0f',
  // Written as characters: the two do not escape them alike.
  '\u{1f000}-\u{1faff}',
].join('')}]+`

const everyAccent = new RegExp(accents, 'gu')
const everyGap = new RegExp(betweenWords, 'gu')
const settle = translator(settledLetters)
const unstroke = translator(strokedLetters)

/** Text as it is compared: case does not count, accents do. */
export const caseless = (text: string): string => settle(text).toLowerCase()

/** The words of a text with one space between and around them: without case, accents and punctuation. */
export function wordsOf(text: string): string {
  const plain = unstroke(text.normalize('NFKD').replace(everyAccent, '').toLowerCase())
  const folded = doubledLetters.reduce((rest, [letter, two]) => rest.replaceAll(letter, two), plain)
  return ` ${folded.replace(everyGap, ' ')} `
}

/** What translate() does in PostgreSQL. */
function translator({ from, to }: { from: string; to: string }) {
  const letters = new RegExp(`[${from}]`, 'gu')
  return (text: string) => text.replace(letters, (letter) => to[from.indexOf(letter)]!)
}
