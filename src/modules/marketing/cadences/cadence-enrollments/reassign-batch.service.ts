import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { getCadenceRow } from '../cadence-records/cadences.queries.ts'
import { notifyChosenSender } from '../cadence-runs/cadence-notifications.ts'
import { reassignEnrollments } from '../cadence-runs/reassign-enrollments.service.ts'
import { assertMayChooseSender, assertMayTakeOver } from './chosen-sender.service.ts'

export type Reassignment = { cadence_id: string; from_sender_id: string | null; to_sender_id: string }

export async function reassignBatch(
  tx: TenantTx,
  actor: UserActor,
  reassignment: Reassignment,
  { ids, now, requestKey }: { ids: readonly string[]; now: Date; requestKey: string },
): Promise<number> {
  await assertMayReassign(tx, actor, reassignment)
  const { cadence_id, from_sender_id: fromSenderId, to_sender_id: senderId } = reassignment
  const cadence = await getCadenceRow(tx, cadence_id)
  const changed = await reassignEnrollments(tx, ids, { fromSenderId, senderId, now })
  if (changed.length) await notifyChosenSender(tx, cadence, { senderId, requestKey })
  return changed.length
}

export async function assertMayReassign(
  tx: TenantTx,
  actor: UserActor,
  { from_sender_id, to_sender_id }: Reassignment,
): Promise<void> {
  await assertMayChooseSender(tx, actor, to_sender_id)
  await assertMayTakeOver(tx, actor, from_sender_id)
}
