import { timezoneOf } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { toInstantRange } from '#platform/calendar'
import type { Page, TenantTx } from '#platform/db'
import { conflict, notFound, roleRequired } from '#platform/errors'
import { emit } from '#platform/outbox'
import { addScoreCounts, lockCounters, uncountCompletion } from '../../design/counters/counters.queries.ts'
import { listQuestions } from '../../design/question-records/questions.queries.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { getSurveyRow, lockSurveyShared } from '../../design/survey-records/surveys.queries.ts'
import { responseDeleted } from '../../surveys.events.ts'
import { toAnswerValue } from '../answers/stored-answers.rules.ts'
import { type CountedResponse, figuresOf } from './figures.rules.ts'
import {
  addAnswerStats,
  addScoreStats,
  deleteResponseRow,
  getResponseRow,
  listAnswers,
  listResponseRows,
  type ResponseRow,
} from './responses.queries.ts'
import type { ResponseQuery, SurveyResponse } from './responses.schemas.ts'

function assertIdentified({ anonymous }: SurveyRow): void {
  if (anonymous)
    throw conflict('survey_is_anonymous', 'Single responses to an anonymous survey cannot be read or deleted.')
}

export async function listSurveyResponses(
  tx: TenantTx,
  surveyId: string,
  { limit, offset, cursor, count, sort, from, to, ...filters }: ResponseQuery,
): Promise<Page<SurveyResponse>> {
  const survey = await getSurveyRow(tx, surveyId)
  assertIdentified(survey)
  const range = toInstantRange({ from, through: to }, await timezoneOf(tx))
  const { items, ...rest } = await listResponseRows(
    tx,
    surveyId,
    { ...filters, ...range },
    { limit, offset, cursor, count, sort },
  )
  return { ...rest, items: await addAnswers(tx, surveyId, items) }
}

async function addAnswers(tx: TenantTx, surveyId: string, rows: readonly ResponseRow[]): Promise<SurveyResponse[]> {
  const ids = rows.map(({ id }) => id)
  const [questions, answers] = await Promise.all([listQuestions(tx, surveyId), listAnswers(tx, ids)])
  const byResponse = Map.groupBy(answers, ({ response_id }) => response_id)
  return rows.map((row) => {
    const own = byResponse.get(row.id) ?? []
    const shown = questions.flatMap(({ id, key, question_type }) => {
      const answer = own.find(({ question_id }) => question_id === id)
      if (!answer) return []
      const value = toAnswerValue(question_type, answer)
      return [{ question_id: id, key, question_type, question_revision: answer.question_revision, value }]
    })
    return { ...(row as ResponseRow & Pick<SurveyResponse, 'channel' | 'sentiment'>), answers: shown }
  })
}

type ResponseIds = { surveyId: string; responseId: string }

/** Takes the response out of all figures. Its invitation cannot respond again. */
export async function deleteSurveyResponse(
  tx: TenantTx,
  actor: UserActor,
  { surveyId, responseId }: ResponseIds,
): Promise<void> {
  const survey = await lockSurveyShared(tx, surveyId)
  if (survey.deleted_at !== null) throw notFound('survey')
  if (!isManagerOrAdmin(actor.role)) throw roleRequired('Only managers and admins can delete responses.')
  assertIdentified(survey)
  await lockCounters(tx, surveyId)
  const response = await getResponseRow(tx, surveyId, responseId)
  const [questions, answers] = await Promise.all([listQuestions(tx, surveyId), listAnswers(tx, [responseId])])

  await deleteResponseRow(tx, responseId)
  await uncountCompletion(tx, surveyId, response.channel as 'email' | 'link')
  await countResponses(tx, surveyId, [{ ...response, answers }], { questions, sign: -1 })
  const { score, channel, contact_id, lead_id } = response
  const before = { response_id: responseId, channel, score }
  await recordAudit(tx, 'survey.response_deleted', { id: surveyId, label: survey.name, before })
  await emit(tx, responseDeleted, survey, { response_id: responseId, contact_id, lead_id })
}

type CountOptions = { questions: readonly Question[]; sign?: 1 | -1 }

/** Adds responses to the figures of their survey. The caller holds the lock of the counters. */
export async function countResponses(
  tx: TenantTx,
  surveyId: string,
  responses: readonly CountedResponse[],
  { questions, sign = 1 }: CountOptions,
): Promise<void> {
  const types = new Map(questions.map(({ id, question_type }) => [id, question_type]))
  const { answerStats, scoreStats, scoreCounts } = figuresOf(responses, (id) => types.get(id), sign)
  await Promise.all([
    addAnswerStats(tx, surveyId, answerStats),
    addScoreStats(tx, surveyId, scoreStats),
    addScoreCounts(tx, surveyId, { scoreCounts, released: 0, releasedLink: 0 }),
  ])
}
