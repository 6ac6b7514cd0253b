/** Letters whose lower case depends on the locale or position; replaced first, so that JavaScript and PostgreSQL agree. */
export const caseExceptions = { from: 'IİΣς', to: 'iiσσ' }

/** Letters that Unicode decomposition does not change, and their replacements. */
export const strokeLetters = { from: 'øłđðħıς', to: 'olddhiσ' }
export const ligatures: readonly (readonly [string, string])[] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
]

/** JavaScript and PostgreSQL read both patterns the same way; classes such as \w differ. */
export const accentPattern = '[\\u0300-\\u036f]'
export const separatorPattern = `[${[
  '\\u0001-\\u002f\\u003a-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7',
  '\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u30fb',
  '\\u2000-\\u2bff\\u2e00-\\u2e7f\\ufe00-\\ufe0f',
  // Literal characters: JavaScript and PostgreSQL escape these differently.
  '\u{1f000}-\u{1faff}',
].join('')}]+`

const accents = new RegExp(accentPattern, 'gu')
const separators = new RegExp(separatorPattern, 'gu')
const replaceCaseExceptions = createTranslator(caseExceptions)
const replaceStrokeLetters = createTranslator(strokeLetters)

export const foldCase = (text: string): string => replaceCaseExceptions(text).toLowerCase()

/** Returns the words without case, accents and punctuation, with a space before, between and after them. */
export function normalizeWords(text: string): string {
  const unaccented = replaceStrokeLetters(text.normalize('NFKD').replace(accents, '').toLowerCase())
  const folded = ligatures.reduce((rest, [letter, replacement]) => rest.replaceAll(letter, replacement), unaccented)
  return ` ${folded.replace(separators, ' ')} `
}

function createTranslator({ from, to }: { from: string; to: string }) {
  const letters = new RegExp(`[${from}]`, 'gu')
  return (text: string) => text.replace(letters, (letter) => to[from.indexOf(letter)]!)
}
