import type { TenantTx } from '#platform/db'
import { cadenceResumed } from '../../marketing.events.ts'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { emitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { type EnrollmentRow, listCadenceIds, lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { planEnrollments } from './plan-runs.service.ts'

type IsOver = (enrollment: EnrollmentRow) => boolean

/** Continues paused enrollments whose pause is over, at the next time of their windows. Returns their number. */
export async function resumeEnrollments(
  tx: TenantTx,
  ids: readonly string[],
  { isOver, now }: { isOver: IsOver; now: Date },
): Promise<number> {
  const cadences = await lockCadencesShared(tx, await listCadenceIds(tx, ids))
  const enrollments = await lockEnrollments(tx, ids)
  const resumed = enrollments.filter((one) => one.status === 'paused' && isOver(one))
  const counts = await planEnrollments(tx, cadences, resumed, { now })
  await emitEnrollments(tx, cadenceResumed, resumed)
  await addCounts(tx, counts)
  return resumed.length
}

export const isPausedUntil =
  (now: Date): IsOver =>
  ({ paused_until }) =>
    paused_until !== null && paused_until <= now
