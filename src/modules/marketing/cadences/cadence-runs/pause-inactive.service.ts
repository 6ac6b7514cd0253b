import { lockUsersShared } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { pauseEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { listEnrollments } from '../cadence-records/enrollments.queries.ts'
import { notifyPaused } from './cadence-notifications.ts'

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
