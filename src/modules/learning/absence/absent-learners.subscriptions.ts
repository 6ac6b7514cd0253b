import { userDeactivated, userReactivated } from '#events/identity'
import { lockUsersShared } from '#modules/identity'
import { systemClock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { subscribe } from '#platform/outbox'
import { restoreEnrollments, withdrawEnrollments } from './absence.service.ts'

/** Withdraws open and failed enrollments, so that reminders and numbers leave the user out. */
export const onLearnerDeactivated = subscribe(
  userDeactivated,
  'enablement.withdraw_enrollments',
  async (tx, { subject: { id } }) => {
    if (await lockIsDeactivated(tx, id)) await withdrawEnrollments(tx, id)
  },
)

export const onLearnerReactivated = subscribe(
  userReactivated,
  'enablement.restore_enrollments',
  async (tx, { subject: { id } }) => {
    if (!(await lockIsDeactivated(tx, id))) await restoreEnrollments(tx, id, systemClock.now())
  },
)

/** Events can be delivered in another order, so the status of the user decides, which stays as it is until the transaction ends. */
async function lockIsDeactivated(tx: TenantTx, userId: string): Promise<boolean> {
  const [user] = await lockUsersShared(tx, [userId])
  return user?.status === 'deactivated'
}
