import { randomInt } from 'node:crypto'
import { conflict } from '#platform/errors'
import type { QuizDraw } from '../records/learning.schemas.ts'
import type { OwnedQuestion } from './question-spec.ts'

const fits = ({ bank_id, topics }: QuizDraw, question: OwnedQuestion): boolean =>
  question.bank_id === bank_id && (!topics || (question.topic !== null && topics.includes(question.topic)))

type Draws = { drawn: Map<OwnedQuestion, QuizDraw>; missing: QuizDraw | undefined }

/** Draws random questions. A question that fits several draws moves to another one if that is the only way to serve both. */
function tryDraws(draws: readonly QuizDraw[], questions: readonly OwnedQuestion[]): Draws {
  const drawn = new Map<OwnedQuestion, QuizDraw>()
  const drawOne = (draw: QuizDraw, seen: Set<OwnedQuestion>): boolean => {
    const fitting = shuffleRandomly(questions.filter((question) => fits(draw, question) && !seen.has(question)))
    const free = fitting.find((question) => !drawn.has(question))
    if (free) {
      drawn.set(free, draw)
      return true
    }
    return fitting.some((question) => {
      if (seen.has(question)) return false
      seen.add(question)
      const owner = drawn.get(question)!
      if (owner === draw || !drawOne(owner, seen)) return false
      drawn.set(question, draw)
      return true
    })
  }
  const missing = draws.find((draw) => {
    for (let left = draw.count; left > 0; left--) if (!drawOne(draw, new Set())) return true
    return false
  })
  return { drawn, missing }
}

function shuffleRandomly<T>(values: readonly T[]): T[] {
  const left = [...values]
  return values.map(() => left.splice(randomInt(left.length), 1)[0]!)
}

export const canDraw = (draws: readonly QuizDraw[], questions: readonly OwnedQuestion[]): boolean =>
  tryDraws(draws, questions).missing === undefined

/** Draws random questions from banks; no question is drawn twice. */
export function drawQuestions(draws: readonly QuizDraw[], questions: readonly OwnedQuestion[]): OwnedQuestion[] {
  const { drawn, missing } = tryDraws(draws, questions)
  if (missing)
    throw conflict(
      'not_enough_questions',
      'The quiz draws more questions than its question bank has. Ask its author to add questions or to draw fewer.',
      {
        needed: missing.count,
        available: [...drawn.values()].filter((draw) => draw === missing).length,
      },
    )
  return [...drawn.keys()]
}
