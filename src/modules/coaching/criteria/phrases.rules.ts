import type { Lexicon } from './lexicons/lexicon.ts'
import { type Token, tokenize } from './tokens.rules.ts'

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
