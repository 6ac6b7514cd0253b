import {
  analyzeText,
  findSentenceWith,
  hasListedPhrase,
  isRepetition,
  questionsOf,
} from '../criteria/analyze-text.rules.ts'
import type { MessageSignals } from './buyer-state.ts'

export function readSignals(text: string, language: string): MessageSignals {
  const analysis = analyzeText(text, language)
  const questions = questionsOf(analysis)
  const analyzed = questions.map((question) => analyzeText(question.text, language))
  return {
    wordCount: analysis.words,
    hasQuestion: questions.length > 0,
    hasOpenQuestion: questions.some(({ question }) => question === 'open'),
    questions: questions.map((question) => question.text),
    hasEmpathy: hasListedPhrase(analysis, 'empathy'),
    hasNextStep: hasListedPhrase(analysis, 'nextSteps'),
    hasPriceWord: hasListedPhrase(analysis, 'priceWords'),
    containsAny: (phrases) => findSentenceWith(analysis, phrases) !== undefined,
    repeatsAny: (earlier) =>
      earlier.some((known) => analyzed.some((question) => isRepetition(question, analyzeText(known, language)))),
  }
}
