import { type CompiledLexicon, lexiconOf } from './lexicons/compile-lexicon.ts'
import { hasPhrase, type Phrase, startsWithPhrase, type Token, tokenize, toPhrase } from './phrases.rules.ts'

export type Sentence = { text: string; tokens: Token[]; question: 'open' | 'closed' | null }

export type AnalyzedText = { lexicon: CompiledLexicon; words: number; sentences: Sentence[] }

const sentenceMark = /[?!…]+|\.+|[\r\n]+/g

export function analyzeText(text: string, language: string): AnalyzedText {
  const lexicon = lexiconOf(language)
  let words = 0
  const sentences = splitSentences(text).map((sentence): Sentence => {
    const analyzed = tokenize(sentence, lexicon.lexicon)
    words += analyzed.words
    const { tokens } = analyzed
    return { text: sentence, tokens, question: classifyQuestion(tokens, sentence.endsWith('?'), lexicon) }
  })
  return { lexicon, words, sentences: sentences.filter(({ tokens }) => tokens.length > 0) }
}

function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const { 0: mark, index } of text.matchAll(sentenceMark)) {
    if (isWithinWord(mark, text.charAt(index + mark.length))) continue
    const isQuestion = mark.includes('?')
    const sentence = text.slice(start, index).trim()
    sentences.push(isQuestion ? `${sentence}?` : `${sentence}${mark.trim()}`)
    start = index + mark.length
  }
  return [...sentences, text.slice(start).trim()].filter((sentence) => /[^.?!…]/.test(sentence))
}

/** A full stop inside a number or a web address does not end a sentence. */
const isWithinWord = (mark: string, next: string): boolean => mark.startsWith('.') && /\S/.test(next)

function classifyQuestion(tokens: Token[], hasMark: boolean, lexicon: CompiledLexicon): Sentence['question'] {
  const first = tokens.findIndex(({ folded }) => !lexicon.connectors.has(folded))
  const withoutConnectors = first === -1 ? [] : tokens.slice(first)
  const starters = hasMark ? [...lexicon.openStarters, ...lexicon.openStartersWithMark] : lexicon.openStarters
  // "E como …?": a connector may also be the first word of a starter.
  const isOpen = starters.some(
    (starter) => startsWithPhrase(withoutConnectors, starter) || startsWithPhrase(tokens, starter),
  )
  if (isOpen) return 'open'
  return hasMark ? 'closed' : null
}

export const questionsOf = ({ sentences }: AnalyzedText): Sentence[] => sentences.filter(({ question }) => question)

type PhraseList = 'nextSteps' | 'empathy' | 'priceWords'

export const hasListedPhrase = ({ sentences, lexicon }: AnalyzedText, list: PhraseList): boolean =>
  sentences.some(({ tokens }) => lexicon[list].some((phrase) => hasPhrase(tokens, phrase)))

/** Returns the first sentence with one of the phrases, which may be inflected. */
export function findSentenceWith(
  { sentences, lexicon: { lexicon } }: AnalyzedText,
  phrases: readonly string[],
): Sentence | undefined {
  const wanted: Phrase[] = phrases.map((phrase) => toPhrase(phrase, lexicon))
  return sentences.find(({ tokens }) => wanted.some((phrase) => hasPhrase(tokens, phrase)))
}

/** Whether two texts share so many of their words that one repeats the other: |A ∩ B| / |A ∪ B| ≥ 0.8. */
export function isRepetition(one: AnalyzedText, other: AnalyzedText): boolean {
  const [words, otherWords] = [one, other].map(
    ({ sentences }) => new Set(sentences.flatMap(({ tokens }) => tokens.map(({ folded }) => folded))),
  ) as [Set<string>, Set<string>]
  const union = words.union(otherWords).size
  return union > 0 && words.intersection(otherWords).size * 10 >= union * 8
}
