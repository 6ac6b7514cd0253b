import type { AnalyzedText, Sentence } from './analyze-text.rules.ts'
import type { CompiledLexicon } from './lexicons/compile-lexicon.ts'
import { findExactPhrase } from './phrases.rules.ts'

export type FillerUse = { word: string; sentence: Sentence }

export const findFillers = ({ sentences, lexicon }: AnalyzedText): FillerUse[] =>
  sentences.flatMap((sentence) =>
    lexicon.fillers.flatMap((filler) =>
      findExactPhrase(sentence.tokens, filler.phrase)
        .filter((index) => isFiller(sentence, index, filler))
        .map(() => ({ word: filler.phrase.text, sentence })),
    ),
  )

function isFiller(
  { tokens, text }: Sentence,
  index: number,
  { phrase, onlyAtPause, notAfter = [] }: CompiledLexicon['fillers'][number],
): boolean {
  const previous = tokens[index - 1]
  if (previous && notAfter.includes(previous.folded)) return false
  if (!onlyAtPause || !previous) return true
  const [first, last, next] = [
    tokens[index]!,
    tokens[index + phrase.tokens.length - 1]!,
    tokens[index + phrase.tokens.length],
  ]
  return text.slice(previous.end, first.start).includes(',') || text.slice(last.end, next?.start).includes(',')
}
