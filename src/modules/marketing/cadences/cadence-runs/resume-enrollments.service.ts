import { lockUsersShared } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { cadenceResumed } from '../../marketing.events.ts'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { emitEnrollments, pauseEnrollments } from '../cadence-records/end-enrollments.service.ts'
import {
  type EnrollmentRow,
  listCadenceIds,
  listEnrollments,
  lockEnrollments,
} from '../cadence-records/enrollments.queries.ts'
import { notifyPaused } from './cadence-notifications.ts'
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

const reason = 'sender_deactivated'

/**
 * Pauses those of the enrollments whose sender is not active. The senders are locked, because a reactivation that does not wait would
 * not find the enrollments that it continues.
 */
export async function pauseWithoutSender(tx: TenantTx, ids: readonly string[]): Promise<void> {
  const enrollments = await listEnrollments(tx, ids)
  const senderIds = [...new Set(enrollments.flatMap(({ sender_id }) => sender_id ?? []))]
  const senders = await lockUsersShared(tx, senderIds)
  const active = new Set(senders.filter(({ status }) => status === 'active').map(({ id }) => id))
  const inactive = new Set<string | null>([null, ...senderIds.filter((id) => !active.has(id))])
  const paused = await pauseEnrollments(tx, ids, { reason, appliesTo: ({ sender_id }) => inactive.has(sender_id) })
  await notifyPaused(tx, paused, reason)
}
