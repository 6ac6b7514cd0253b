import type { TenantTx } from '#platform/db'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { emitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { listCadenceIds, lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { cadenceResumed } from '../marketing.events.ts'
import { planEnrollments } from './plan-runs.service.ts'

/** Continues enrollments whose pause has ended, at the next time of their windows. Returns their number. */
export async function resumeEnrollments(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  const cadences = await lockCadencesShared(tx, await listCadenceIds(tx, ids))
  const enrollments = await lockEnrollments(tx, ids)
  const isOver = (until: Date | null) => until !== null && until <= now
  const resumed = enrollments.filter(({ status, paused_until }) => status === 'paused' && isOver(paused_until))
  const counts = await planEnrollments(tx, cadences, resumed, { now })
  await emitEnrollments(tx, cadenceResumed, resumed)
  await addCounts(tx, counts)
  return resumed.length
}
