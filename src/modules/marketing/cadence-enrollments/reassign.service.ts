import { assertAssignable } from '#modules/crm'
import { findUserNames } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { nilUuid } from '#platform/ids'
import type { Services } from '#platform/module'
import { maxInline, runInlineOrTask, type StartedTask } from '#platform/tasks'
import { getCadenceRow } from '../cadence-records/cadences.queries.ts'
import { reassignEnrollments } from '../cadence-runs/reassign-enrollments.service.ts'
import { listEnrollmentIdsOfSender } from '../cadence-runs/sender-enrollments.queries.ts'
import type { ReassignedEnrollments, SenderReassignment } from './enrollments.schemas.ts'
import { startReassigning } from './reassign.jobs.ts'

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
  const filter = { senderId: from_sender_id, cadenceId, status: 'live' } as const
  const ids = await listEnrollmentIdsOfSender(tx, filter, { after: nilUuid, limit: maxInline + 1 })
  return await runInlineOrTask(ids.length, {
    async runInline() {
      const change = { fromSenderId: from_sender_id, senderId: to_sender_id, now: clock.now() }
      const reassigned = await reassignEnrollments(tx, ids, change)
      return { reassigned: reassigned.length }
    },
    startTask: () => startReassigning(tx, actor, { cadence_id: cadenceId, from_sender_id, to_sender_id }),
  })
}
