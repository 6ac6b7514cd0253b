import { type Decimal, decimal, maxOf, roundHalfUp, sumOf } from '#platform/decimal'
import type { Grading, QuizSettings } from '../records/learning.schemas.ts'
import type { AskedQuestion, QuestionSpec } from './question-spec.ts'
import { normalizeText } from './questions.rules.ts'
import type { Answer, QuestionKind } from './questions.schemas.ts'

/** Decimals of earned points that are stored; a third of a point has no exact decimal. */
const earnedPlaces = 6

type Grade = (spec: QuestionSpec, answer: Answer, hasPartialCredit: boolean) => Decimal

const all = decimal(1)
const nothing = decimal(0)
const shareOf = (right: number, total: number, hasPartialCredit: boolean): Decimal => {
  if (right === total) return all
  return hasPartialCredit ? decimal(right).div(total) : nothing
}

const gradeOptions: Grade = ({ options = [] }, { option_ids: chosen = [] }, hasPartialCredit) => {
  const correct = options.filter((option) => option.correct).map(({ id }) => id)
  const right = chosen.filter((id) => correct.includes(id)).length
  const wrong = chosen.length - right
  if (right === correct.length && wrong === 0) return all
  return hasPartialCredit ? maxOf(nothing, decimal(right - wrong).div(correct.length)) : nothing
}

const gradeOneOption: Grade = (spec, answer) => gradeOptions(spec, answer, false)

const grades: Record<QuestionKind, Grade> = {
  single: gradeOneOption,
  true_false: gradeOneOption,
  multiple: gradeOptions,
  short_text: ({ accepted = [] }, { text = '' }) => {
    const given = normalizeText(text)
    return given !== '' && accepted.some((one) => normalizeText(one) === given) ? all : nothing
  },
  numeric: ({ value = 0, tolerance = 0 }, { number }) =>
    number !== undefined && decimal(number).minus(value).abs().lte(tolerance) ? all : nothing,
  ordering: ({ items = [] }, { order = [] }, hasPartialCredit) =>
    shareOf(items.filter(({ id }, index) => order[index] === id).length, items.length, hasPartialCredit),
  matching: ({ pairs = [] }, { pairs: given = [] }, hasPartialCredit) => {
    const isRight = ({ left_id, right_id }: { left_id: string; right_id: string }) => {
      const chosen = given.filter((pair) => pair.left_id === left_id)
      return chosen.length === 1 && chosen[0]!.right_id === right_id
    }
    return shareOf(pairs.filter(isRight).length, pairs.length, hasPartialCredit)
  },
}

export type QuestionResult = { question: AskedQuestion; answer: Answer | undefined; earned: number }
export type QuizResult = { results: QuestionResult[]; earned: number; possible: number; score: number; passed: boolean }

/** Points are exact decimals; the score is rounded, but whether it passes is decided before. */
export function gradeQuiz(
  questions: readonly AskedQuestion[],
  answers: readonly Answer[],
  { partial_credit, passing_score }: Pick<QuizSettings, 'partial_credit' | 'passing_score'>,
): QuizResult {
  const answerOf = new Map(answers.map((answer) => [answer.question_id, answer]))
  const graded = questions.map((question) => {
    const answer = answerOf.get(question.id)
    const fraction = answer ? grades[question.kind](question.spec, answer, partial_credit) : nothing
    return { question, answer, points: fraction.times(question.points) }
  })
  const possible = questions.reduce((sum, { points }) => sum + points, 0)
  const earned = sumOf(graded.map(({ points }) => points)).round(earnedPlaces)
  return {
    results: graded.map(({ question, answer, points }) => ({
      question,
      answer,
      earned: roundHalfUp(points, earnedPlaces),
    })),
    earned: earned.toNumber(),
    possible,
    score: roundHalfUp(percentOf({ earned: earned.toNumber(), possible }), 2),
    passed: earned.times(100).gte(decimal(passing_score).times(possible)),
  }
}

type Points = { earned: number; possible: number }
const percentOf = ({ earned, possible }: Points): Decimal => decimal(earned).times(100).div(possible)

const pickScore: Record<Grading, (percents: readonly Decimal[]) => Decimal> = {
  highest: (percents) => percents.reduce(maxOf),
  latest: (percents) => percents.at(-1)!,
  first: (percents) => percents[0]!,
  average: (percents) => sumOf(percents).div(percents.length),
}

/** The score of a module from its attempts in their order, of which there is at least one. */
export function gradeModule(
  attempts: readonly Points[],
  { grading, passing_score }: Pick<QuizSettings, 'grading' | 'passing_score'>,
): { score: number; passed: boolean } {
  const percent = pickScore[grading](attempts.map(percentOf))
  return { score: roundHalfUp(percent, 2), passed: percent.round(earnedPlaces).gte(passing_score) }
}
