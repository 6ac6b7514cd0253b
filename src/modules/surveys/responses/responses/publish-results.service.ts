import { timezoneOf } from '#modules/identity'
import { dayInTimezone, startOfDay } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { newRandomId } from '#platform/ids'
import { lockCounters } from '../../design/counters/counters.queries.ts'
import { listQuestions } from '../../design/question-records/questions.queries.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { chooseFigures, findShownQuestions, isLargeEnough, selectShownAnswers } from '../anonymity/anonymity.rules.ts'
import type { StoredAnswer } from '../answers/stored-answers.rules.ts'
import { figuresOf } from './figures.rules.ts'
import { insertAnswers, insertResponses } from './insert-responses.queries.ts'
import { addReleased, shuffle } from './release-responses.service.ts'
import { addAnswerStats, addScoreStats, type ScoreStatRow } from './responses.queries.ts'
import { takeUnreleased, type UnreleasedRow } from './unreleased-responses.queries.ts'

const batchSize = 500

/**
 * Stores what may be shown of a closed anonymous survey, once, and deletes everything else: figures of groups and months, of questions,
 * and rows of answers. All rows have the same day, language and channel.
 */
export async function publishResults(tx: TenantTx, survey: SurveyRow, now: Date): Promise<void> {
  await lockCounters(tx, survey.id)
  const [questions, timezone] = [await listQuestions(tx, survey.id), await timezoneOf(tx)]
  const today = dayInTimezone(now, timezone)
  const waiting = await takeUnreleased(tx, survey.id)
  const added = chooseAdded(waiting, survey)
  await addReleased(tx, survey, added)
  const released = shuffle([
    ...waiting.filter(({ is_counted }) => is_counted),
    ...added.map((row) => (survey.breakdown === 'none' ? { ...row, submitted_on: today } : row)),
  ])
  const { scoreStats, partOf } = summarizeScores(released, survey, today)
  await addScoreStats(tx, survey.id, scoreStats)

  const shownQuestions = findShownQuestions(released, questions, survey.min_group_size)
  const shown = released.map((response) => ({
    ...response,
    part: partOf(response),
    submitted_on: today,
    answers: response.answers.filter(({ question_id }) => shownQuestions.has(question_id)),
  }))
  const types = new Map(questions.map(({ id, question_type }) => [id, question_type]))
  const counted = shown.map((response) => ({ ...response, segment_ids: [] }))
  await addAnswerStats(tx, survey.id, figuresOf(counted, (id) => types.get(id)).answerStats)
  await storeRows(tx, survey, { shown, questions, day: startOfDay(today, timezone), today })
}

/** Returns the responses that are added to those of the open survey: all others of a channel, or none if they are too few. */
function chooseAdded(waiting: readonly UnreleasedRow[], { min_group_size }: SurveyRow): UnreleasedRow[] {
  const rest = waiting.filter(({ is_counted }) => !is_counted)
  return (['email', 'link'] as const).flatMap((channel) => {
    const rows = rest.filter((row) => row.channel === channel)
    const scored = rows.filter(({ score }) => score !== null)
    return isLargeEnough(rows, min_group_size) && isLargeEnough(scored, min_group_size) ? rows : []
  })
}

function summarizeScores(responses: readonly UnreleasedRow[], { breakdown, min_group_size }: SurveyRow, today: string) {
  const placeOf = (response: UnreleasedRow) => ({
    group: breakdown === 'none' ? null : response[breakdown],
    month: `${response.submitted_on.slice(0, 8)}01`,
  })
  const scored = responses.flatMap((response) => {
    const { score } = response
    return score === null ? [] : [{ ...response, ...placeOf(response), score }]
  })
  const { groups, months, partOf } = chooseFigures(scored, min_group_size)
  const rows = scored.flatMap(({ score, group, month }): ScoreStatRow[] => [
    ...(months.has(month) ? [{ day: month, dim: 'all', dim_value: '', score, n: 1 }] : []),
    ...(group !== null && groups.has(group) ? [{ day: today, dim: breakdown, dim_value: group, score, n: 1 }] : []),
  ])
  const same = Map.groupBy(rows, ({ day, dim, dim_value, score }) => `${day} ${dim} ${dim_value} ${score}`)
  const scoreStats = [...same].sort().map(([, [first, ...others]]) => ({ ...first!, n: 1 + others.length }))
  return { scoreStats, partOf: (response: UnreleasedRow) => partOf(placeOf(response)) }
}

type Shown = {
  shown: readonly (UnreleasedRow & { part: string })[]
  questions: readonly Question[]
  today: string
  day: string
}

async function storeRows(
  tx: TenantTx,
  { id: survey_id, default_language, min_group_size }: SurveyRow,
  { shown, questions, today, day }: Shown,
): Promise<void> {
  const answers = selectShownAnswers(shown, questions, min_group_size)
  const rows = shown.flatMap(({ score, sentiment }, index) => {
    const own: StoredAnswer[] = answers[index]!
    return own.length ? [{ id: newRandomId(), score, sentiment, answers: own }] : []
  })
  const sameInAll = {
    survey_id,
    invitation_id: null,
    contact_id: null,
    lead_id: null,
    account_id: null,
    submission_id: null,
    body_hash: null,
    channel: 'link',
    language: default_language,
    started_at: day,
    submitted_at: day,
    submitted_on: today,
    duration_seconds: null,
    lifecycle_stage: null,
    segment_ids: [],
  }
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize)
    await insertResponses(
      tx,
      batch.map(({ answers: _, ...row }) => ({ ...sameInAll, ...row })),
    )
    await insertAnswers(
      tx,
      batch.flatMap(({ id, answers: own }) => own.map((answer) => ({ ...answer, response_id: id, survey_id }))),
    )
  }
}
