import {
  analyzeText,
  findSentenceWith,
  hasListedPhrase,
  isRepetition,
  questionsOf,
} from '../criteria/analyze-text.rules.ts'
import type { MessageSignals } from './buyer-state.ts'

/** More questions than a person asks in one message; a message of question marks can have thousands. */
const maxQuestions = 50

export function readSignals(text: string, language: string): MessageSignals {
  const analysis = analyzeText(text, language)
  const questions = questionsOf(analysis).slice(0, maxQuestions)
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
      earlier.some((text) => {
        const known = analyzeText(text, language)
        return analyzed.some((question) => isRepetition(question, known))
      }),
  }
}
