import { assertAssignable, findUserNames } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { newId, nilUuid } from '#platform/ids'
import type { Services } from '#platform/module'
import { maxInline, runInlineOrTask, type StartedTask } from '#platform/tasks'
import { getCadenceRow } from '../cadence-records/cadences.queries.ts'
import { listEnrollmentIdsOfSender } from '../cadence-runs/sender-enrollments.queries.ts'
import type { ReassignedEnrollments, SenderReassignment } from './enrollments.schemas.ts'
import { startReassigning } from './reassign.jobs.ts'
import { assertMayReassign, reassignBatch } from './reassign-batch.service.ts'

/** Reassigns up to 200 enrollments at once, more in a task. */
export async function reassignCadenceEnrollments(
  tx: TenantTx,
  actor: UserActor,
  cadenceId: string,
  { from_sender_id, to_sender_id }: SenderReassignment,
  { clock }: Pick<Services, 'clock'>,
): Promise<ReassignedEnrollments | StartedTask> {
  await getCadenceRow(tx, cadenceId)
  if (from_sender_id !== null && !(await findUserNames(tx, [from_sender_id])).has(from_sender_id))
    throw unknownReference('/from_sender_id', 'user')
  await assertAssignable(tx, to_sender_id, '/to_sender_id')
  const reassignment = { cadence_id: cadenceId, from_sender_id, to_sender_id }
  await assertMayReassign(tx, actor, reassignment)
  const filter = { senderId: from_sender_id, cadenceId, status: 'live' } as const
  const ids = await listEnrollmentIdsOfSender(tx, filter, { after: nilUuid, limit: maxInline + 1 })
  return await runInlineOrTask(ids.length, {
    async runInline() {
      const batch = { ids, now: clock.now(), requestKey: newId() }
      return { reassigned: await reassignBatch(tx, actor, reassignment, batch) }
    },
    startTask: () => startReassigning(tx, actor, reassignment),
  })
}
