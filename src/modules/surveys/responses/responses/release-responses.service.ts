import { randomInt } from 'node:crypto'
import { timezoneOf } from '#modules/identity'
import { startOfDay } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { newRandomId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { lockCounters } from '../../design/counters/counters.queries.ts'
import { listQuestions } from '../../design/question-records/questions.queries.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { responsesReleased } from '../../surveys.events.ts'
import type { StoredAnswer } from '../answers/stored-answers.rules.ts'
import { insertAnswers, insertResponses } from './insert-responses.queries.ts'
import { countResponses } from './responses.service.ts'
import { blankUnreleased, countUnreleased, takeUnreleased, type UnreleasedRow } from './unreleased-responses.queries.ts'

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
 * Moves waiting responses of an anonymous survey into its results: `min_group_size` of them as soon as twice as many wait, and the rest
 * when the survey closes. So two looks at the results never differ by fewer responses. Responses by invitation and by public link
 * are released in groups of their own, because anyone can fill a group with answers by the link. A rest that is smaller than a group
 * is never shown. Ids and order are new, because the waiting rows were written together with what tells who responded.
 */
export async function releaseResponses(
  tx: TenantTx,
  survey: SurveyRow,
  { isClosing }: { isClosing: boolean },
): Promise<void> {
  const size = survey.min_group_size
  await lockCounters(tx, survey.id)
  for (const { channel, waiting } of await countUnreleased(tx, survey.id)) {
    if (waiting < (isClosing ? size : 2 * size)) continue
    await releaseGroup(tx, survey, await takeUnreleased(tx, survey.id, channel, isClosing ? waiting : size))
  }
  if (isClosing) await blankUnreleased(tx, survey.id)
}

async function releaseGroup(tx: TenantTx, survey: SurveyRow, rows: readonly UnreleasedRow[]): Promise<void> {
  const [questions, timezone] = [await listQuestions(tx, survey.id), await timezoneOf(tx)]
  const responses = shuffle(rows).map((row) => ({ ...row, id: newRandomId(), answers: row.answers as StoredAnswer[] }))
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
