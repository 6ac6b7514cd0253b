import type { QuestionResult, QuizResult } from '../quizzes/grading.rules.ts'
import type { QuestionSpec } from '../quizzes/question-spec.ts'
import type { ReviewPolicy } from '../records/learning.schemas.ts'
import type { ReviewedQuestion, Solution } from './attempts.schemas.ts'

type Outcome = { hasPassed: boolean; attemptsLeft: number | null }

const showsSolutions: Record<ReviewPolicy, (outcome: Outcome) => boolean> = {
  none: () => false,
  score_only: () => false,
  after_pass: ({ hasPassed }) => hasPassed,
  after_final: ({ hasPassed, attemptsLeft }) => hasPassed || attemptsLeft === 0,
  after_submit: () => true,
}

/** Presents what the learner may know about a graded attempt; null: nothing but the score. */
export function presentReview(
  { results }: QuizResult,
  policy: ReviewPolicy,
  outcome: Outcome,
): ReviewedQuestion[] | null {
  if (showsSolutions[policy](outcome))
    return results.map((result) => ({
      ...pointsOf(result),
      answer: result.answer ?? null,
      solution: solutionOf(result.question.spec),
      explanation: result.question.explanation,
    }))
  return policy === 'score_only' ? results.map(pointsOf) : null
}

const pointsOf = ({ question: { id, points }, earned }: QuestionResult) => ({ question_id: id, points, earned })

function solutionOf({ options, accepted, value, tolerance, items, pairs }: QuestionSpec): Solution {
  if (options) return { option_ids: options.filter(({ correct }) => correct).map(({ id }) => id) }
  if (items) return { order: items.map(({ id }) => id) }
  if (pairs) return { pairs: pairs.map(({ left_id, right_id }) => ({ left_id, right_id })) }
  return accepted ? { texts: accepted } : { number: value!, tolerance: tolerance! }
}
