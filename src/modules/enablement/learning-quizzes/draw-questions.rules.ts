import { randomInt } from 'node:crypto'
import { conflict } from '#platform/errors'
import type { QuizDraw } from '../learning-records/learning.schemas.ts'
import type { OwnedQuestion } from './question-spec.ts'

const fits = ({ bank_id, topics }: QuizDraw, question: OwnedQuestion): boolean =>
  question.bank_id === bank_id && (!topics || (question.topic !== null && topics.includes(question.topic)))

export const countDrawable = (draw: QuizDraw, questions: readonly OwnedQuestion[]): number =>
  questions.filter((question) => fits(draw, question)).length

/** Draws random questions from banks; no question is drawn twice. */
export function drawQuestions(draws: readonly QuizDraw[], questions: readonly OwnedQuestion[]): OwnedQuestion[] {
  const drawn = new Set<OwnedQuestion>()
  for (const draw of draws) {
    const available = questions.filter((question) => fits(draw, question) && !drawn.has(question))
    if (available.length < draw.count)
      throw conflict('not_enough_questions', 'The quiz draws more questions than its question bank has.', {
        needed: draw.count,
        available: available.length,
      })
    for (let left = draw.count; left > 0; left--) {
      const [question] = available.splice(randomInt(available.length), 1)
      drawn.add(question!)
    }
  }
  return [...drawn]
}
