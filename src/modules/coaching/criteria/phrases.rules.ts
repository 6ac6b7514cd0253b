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

export type Phrase = { text: string; tokens: readonly Pick<Token, 'folded' | 'stem'>[] }

export const toPhrase = (text: string, lexicon: Lexicon): Phrase => ({ text, tokens: tokenize(text, lexicon).tokens })

type TokenMatch = (token: Token, expected: Phrase['tokens'][number]) => boolean

const hasSameStem: TokenMatch = (token, expected) => token.stem === expected.stem
const isSameWord: TokenMatch = (token, expected) => token.folded === expected.folded
/** "What's" starts like "what". */
const startsWithWord: TokenMatch = (token, expected) =>
  token.folded === expected.folded || token.folded.startsWith(`${expected.folded}'`)

function matchesAt(tokens: readonly Token[], index: number, phrase: Phrase, isMatch: TokenMatch): boolean {
  return (
    phrase.tokens.length > 0 &&
    phrase.tokens.every((expected, offset) => {
      const token = tokens[index + offset]
      return token !== undefined && isMatch(token, expected)
    })
  )
}

export const hasPhrase = (tokens: readonly Token[], phrase: Phrase): boolean =>
  tokens.some((_, index) => matchesAt(tokens, index, phrase, hasSameStem))

export const startsWithPhrase = (tokens: readonly Token[], phrase: Phrase): boolean =>
  matchesAt(tokens, 0, phrase, startsWithWord)

/** Finds the positions of a phrase without inflected forms. */
export const findExactPhrase = (tokens: readonly Token[], phrase: Phrase): number[] =>
  [...tokens.keys()].filter((index) => matchesAt(tokens, index, phrase, isSameWord))
