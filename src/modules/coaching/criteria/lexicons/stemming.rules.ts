const vowel = /[aeiouy]/

/** Removes plural, -ing and -ed, and the silent e, so that "pricing", "priced" and "prices" equal "price". */
export function stemEnglish(word: string): string {
  if (word.length < 4) return word
  const stem = removeEnglishSuffix(word)
  return stem.length > 3 && stem.endsWith('e') ? stem.slice(0, -1) : stem
}

function removeEnglishSuffix(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  for (const suffix of ['ing', 'ed']) {
    const base = word.slice(0, -suffix.length)
    if (word.endsWith(suffix) && base.length >= 3 && vowel.test(base) && !word.endsWith('eed'))
      return base.replace(/([bdgmnprt])\1$/, '$1')
  }
  if (/(s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

const minStemLength = 4

const createSuffixStemmer =
  (...suffixes: readonly RegExp[]) =>
  (word: string): string => {
    for (const suffix of suffixes) {
      const stem = word.replace(suffix, '')
      if (stem !== word && stem.length >= minStemLength) return stem
    }
    return word
  }

export const stemGerman = createSuffixStemmer(/(en|er|em|es)$/, /e$/, /(?<=[bdfgklmnprt])s$/)
export const stemFrench = createSuffixStemmer(/es$/, /[esx]$/)
/** Spanish and Portuguese: plural and the endings of both genders. */
export const stemIberian = createSuffixStemmer(/(os|as|es)$/, /[oaes]$/)
