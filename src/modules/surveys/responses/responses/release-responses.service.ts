import { randomInt } from 'node:crypto'
import { timezoneOf } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { newRandomId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { addScoreCounts, lockCounters } from '../../design/counters/counters.queries.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { responsesReleased } from '../../surveys.events.ts'
import { showsScoresWhileOpen } from '../anonymity/anonymity.rules.ts'
import {
  countWaitingScores,
  insertUnreleased,
  takeWaitingScores,
  type UnreleasedRow,
} from './unreleased-responses.queries.ts'

/**
 * Adds waiting scores of an open anonymous survey to its score: `min_group_size` of them, chosen at random, as soon as twice as many wait.
 * So two looks at the score never differ by fewer persons. Scores by the public link are steps of their own, because anyone can fill a
 * step with them. The rows are written again with new ids in a new order, because they were written together with what tells who
 * responded. They count on the day of their step, so that months consist of steps.
 */
export async function releaseScores(tx: TenantTx, survey: SurveyRow, now: Date): Promise<void> {
  if (!showsScoresWhileOpen(survey)) return
  await lockCounters(tx, survey.id)
  for (const { channel, waiting } of await countWaitingScores(tx, survey.id)) {
    if (waiting < 2 * survey.min_group_size) continue
    const taken = await takeWaitingScores(tx, survey.id, channel, survey.min_group_size)
    const submitted_on = dayInTimezone(now, await timezoneOf(tx))
    const counted = shuffle(taken).map((row) => ({ ...row, id: newRandomId(), is_counted: true, submitted_on }))
    await insertUnreleased(tx, counted)
    await addReleased(tx, survey, counted)
  }
}

/** Adds responses to the score of their survey. The caller holds the lock of the counters. */
export async function addReleased(tx: TenantTx, survey: SurveyRow, responses: readonly UnreleasedRow[]): Promise<void> {
  if (!responses.length) return
  const scoreCounts = Array<number>(11).fill(0)
  for (const { score } of responses) if (score !== null) scoreCounts[score]! += 1
  const releasedLink = responses.filter(({ channel }) => channel === 'link').length
  await addScoreCounts(tx, survey.id, { scoreCounts, released: responses.length, releasedLink })
  await emit(tx, responsesReleased, survey, { count: responses.length })
}

export function shuffle<T>(items: readonly T[]): T[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    ;[shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!]
  }
  return shuffled
}
