import { randomInt } from 'node:crypto'
import { timezoneOf } from '#modules/crm'
import { startOfDay } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { newRandomId } from '#platform/ids'
import { emit } from '#platform/outbox'
import type { StoredAnswer } from '../answers/stored-answers.rules.ts'
import { lockCounters } from '../counters/counters.queries.ts'
import { listQuestions } from '../question-records/questions.queries.ts'
import type { SurveyRow } from '../survey-records/survey-row.ts'
import { responsesReleased } from '../surveys.events.ts'
import { countResponses } from './figures.service.ts'
import { insertAnswers, insertResponses } from './insert-responses.queries.ts'
import { takeUnreleased } from './unreleased-responses.queries.ts'

const withoutRespondent = {
  invitation_id: null,
  contact_id: null,
  lead_id: null,
  account_id: null,
  submission_id: null,
  body_hash: null,
  duration_seconds: null,
  lifecycle_stage: null,
  segment_ids: [],
}

/**
 * Moves waiting responses of an anonymous survey into its results: `min_group_size` of them as soon as twice as many wait, and all
 * of them when the survey closes. So two looks at the results never differ by fewer responses. Ids and order are new, because the
 * waiting rows were written together with what tells who responded.
 */
export async function releaseResponses(
  tx: TenantTx,
  survey: SurveyRow,
  { isClosing }: { isClosing: boolean },
): Promise<void> {
  const { unreleased } = await lockCounters(tx, survey.id)
  const count = isClosing ? unreleased : unreleased >= 2 * survey.min_group_size ? survey.min_group_size : 0
  const taken = count ? shuffle(await takeUnreleased(tx, survey.id, count)) : []
  if (!taken.length) return

  const [questions, timezone] = [await listQuestions(tx, survey.id), await timezoneOf(tx)]
  const responses = taken.map((row) => ({ ...row, id: newRandomId(), answers: row.answers as StoredAnswer[] }))
  await insertResponses(
    tx,
    responses.map(({ answers: _, ...row }) => ({
      ...row,
      ...withoutRespondent,
      started_at: startOfDay(row.submitted_on, timezone),
      submitted_at: startOfDay(row.submitted_on, timezone),
    })),
  )
  await insertAnswers(
    tx,
    responses.flatMap(({ id, survey_id, answers }) =>
      answers.map((answer) => ({ ...answer, response_id: id, survey_id })),
    ),
  )
  await countResponses(tx, survey.id, responses, { questions, released: responses.length })
  await emit(tx, responsesReleased, survey, { count: responses.length })
}

function shuffle<T>(items: readonly T[]): T[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    ;[shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!]
  }
  return shuffled
}
