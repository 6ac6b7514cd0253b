import type { TenantTx } from '#platform/db'
import { addScoreCounts } from '../../design/counters/counters.queries.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import { type CountedResponse, figuresOf } from './figures.rules.ts'
import { addAnswerStats, addScoreStats } from './stats.queries.ts'

type CountOptions = { questions: readonly Question[]; sign?: 1 | -1; released?: number }

/** Adds responses to the figures of their survey. The caller holds the lock of the counters. */
export async function countResponses(
  tx: TenantTx,
  surveyId: string,
  responses: readonly CountedResponse[],
  { questions, sign = 1, released = 0 }: CountOptions,
): Promise<void> {
  const types = new Map(questions.map(({ id, question_type }) => [id, question_type]))
  const { answerStats, scoreStats, scoreCounts } = figuresOf(responses, (id) => types.get(id), sign)
  await Promise.all([
    addAnswerStats(tx, surveyId, answerStats),
    addScoreStats(tx, surveyId, scoreStats),
    addScoreCounts(tx, surveyId, { scoreCounts, released }),
  ])
}
