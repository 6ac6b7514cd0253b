export const languages = ['en', 'de', 'fr', 'es', 'pt'] as const
export type Language = (typeof languages)[number]

/** A filler that is also an ordinary word counts only next to a comma or at the start of a sentence, or not after some words. */
export type Filler = { phrase: string; onlyAtPause?: true; notAfter?: readonly string[] }

/**
 * Words of one language. Phrases match whole words without accents and upper case; all but starters, connectors and fillers also match
 * inflected forms. A change needs a new version, which the test of the lexicons enforces.
 */
export type Lexicon = {
  language: Language
  version: number
  /** Words before the start of a question: "And so, what …". */
  connectors: readonly string[]
  openStarters: readonly string[]
  /** Starters that begin other sentences too, so that they need a question mark. */
  openStartersWithMark: readonly string[]
  fillers: readonly (string | Filler)[]
  nextSteps: readonly string[]
  timePhrases: readonly string[]
  /** Months that are also other words; they count next to a number or after a word of `beforeMonths`. */
  ambiguousMonths: readonly string[]
  beforeMonths: readonly string[]
  /** Dates and clock times, matched against the sentence without accents and upper case. */
  timePatterns: readonly RegExp[]
  empathy: readonly string[]
  priceWords: readonly string[]
  stem: (word: string) => string
  /** "l'étape" matches "étape". */
  splitsElisions?: true
}

const clockTime = /\b([01]?\d|2[0-3]):[0-5]\d\b/
const isoDate = /\b\d{4}-\d{2}-\d{2}\b/
const dottedDate = /\b\d{1,2}\.\d{1,2}\.\d{4}\b/
/** "24/7" is not a date. */
const slashDate = /(?<![\d/])(?!24\/7)([0-2]?\d|3[01])\/([0-2]?\d|3[01])(\/\d{2,4})?(?![\d/])/

export const commonTimePatterns = [clockTime, isoDate, dottedDate, slashDate]
