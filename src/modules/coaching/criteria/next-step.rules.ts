import type { AnalyzedText, Sentence } from './analyze-text.rules.ts'
import type { CompiledLexicon } from './lexicons/compile-lexicon.ts'
import { foldText, hasPhrase } from './phrases.rules.ts'

export type NextStep = { sentence: Sentence; hasTime: boolean }

/** Finds a next step, preferably with a time in its sentence or in the sentence before or after it. */
export function findNextStep({ sentences, lexicon }: AnalyzedText): NextStep | undefined {
  const steps = sentences.flatMap((sentence, index): NextStep[] => {
    if (!lexicon.nextSteps.some((phrase) => hasPhrase(sentence.tokens, phrase))) return []
    const nearby = sentences.slice(Math.max(index - 1, 0), index + 2)
    return [{ sentence, hasTime: nearby.some((other) => hasTimeExpression(other, lexicon)) }]
  })
  return steps.find(({ hasTime }) => hasTime) ?? steps[0]
}

function hasTimeExpression(sentence: Sentence, compiled: CompiledLexicon): boolean {
  const { timePatterns } = compiled.lexicon
  if (compiled.timePhrases.some((phrase) => hasPhrase(sentence.tokens, phrase))) return true
  if (hasAmbiguousMonth(sentence, compiled)) return true
  const folded = foldText(sentence.text)
  return timePatterns.some((pattern) => pattern.test(folded))
}

const startsWithDigit = /^\d/

function hasAmbiguousMonth({ tokens }: Sentence, { lexicon }: CompiledLexicon): boolean {
  return tokens.some(({ folded }, index) => {
    if (!lexicon.ambiguousMonths.includes(folded)) return false
    const [before, after] = [tokens[index - 1]?.folded ?? '', tokens[index + 1]?.folded ?? '']
    return lexicon.beforeMonths.includes(before) || startsWithDigit.test(before) || startsWithDigit.test(after)
  })
}
