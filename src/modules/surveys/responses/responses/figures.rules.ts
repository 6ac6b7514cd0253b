import type { QuestionType } from '../../design/question-records/questions.schemas.ts'
import { type StoredAnswer, statDeltasOf, sumStatDeltas } from '../answers/stored-answers.rules.ts'

export type CountedResponse = {
  submitted_on: string
  channel: string
  language: string
  lifecycle_stage: string | null
  segment_ids: readonly string[]
  score: number | null
  answers: readonly Omit<StoredAnswer, 'question_revision'>[]
}

type TypeOf = (questionId: string) => QuestionType | undefined

/** Calculates what responses add to the figures of their survey; `sign` -1 takes them back. */
export function figuresOf(responses: readonly CountedResponse[], typeOf: TypeOf, sign: 1 | -1 = 1) {
  const answerStats = responses.flatMap(({ submitted_on: day, answers }) =>
    answers.flatMap((answer) => {
      const type = typeOf(answer.question_id)
      const deltas = type ? statDeltasOf(type, answer) : []
      return deltas.map((delta) => ({ ...delta, day, n: sign * delta.n, sum: sign * delta.sum }))
    }),
  )
  const scoreStats = responses.flatMap((response) => {
    const { submitted_on: day, score } = response
    return score === null
      ? []
      : dimensionsOf(response).map(([dim, dim_value]) => ({ day, dim, dim_value, score, n: sign, sum: 0 }))
  })
  const scoreCounts = Array<number>(11).fill(0)
  for (const { score } of responses) if (score !== null) scoreCounts[score]! += sign
  return {
    answerStats: sumStatDeltas(answerStats, ({ question_id, day, bucket }) => `${question_id} ${day} ${bucket}`),
    scoreStats: sumStatDeltas(scoreStats, ({ day, dim, dim_value, score }) => `${day} ${dim} ${dim_value} ${score}`),
    scoreCounts,
  }
}

function dimensionsOf({ language, channel, lifecycle_stage, segment_ids }: CountedResponse): [string, string][] {
  return [
    ['all', ''],
    ['language', language],
    ['channel', channel],
    ...(lifecycle_stage === null ? [] : [['lifecycle_stage', lifecycle_stage] as [string, string]]),
    ...segment_ids.map((id): [string, string] => ['segment', id]),
  ]
}
