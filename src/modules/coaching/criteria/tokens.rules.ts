import type { Language, Lexicon } from './lexicons/lexicon.ts'

/** A word of a text, with its position. `folded` has neither upper case nor accents. */
export type Token = { folded: string; stem: string; start: number; end: number }

const segmenters = new Map<Language, Intl.Segmenter>()

function segmenterOf(language: Language): Intl.Segmenter {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' })
  segmenters.set(language, segmenter)
  return segmenter
}

export const foldText = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('’', "'")

/** `words` counts Unicode words, so that "l'étape" is one word with two tokens. */
export function tokenize(text: string, lexicon: Lexicon): { tokens: Token[]; words: number } {
  const tokens: Token[] = []
  let words = 0
  for (const { segment, index, isWordLike } of segmenterOf(lexicon.language).segment(text)) {
    if (!isWordLike) continue
    words++
    const folded = foldText(segment)
    for (const part of lexicon.splitsElisions ? folded.split("'") : [folded])
      if (part) tokens.push({ folded: part, stem: lexicon.stem(part), start: index, end: index + segment.length })
  }
  return { tokens, words }
}
