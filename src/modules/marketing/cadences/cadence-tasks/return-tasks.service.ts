import { lockPersons, reassignTasks } from '#modules/crm'
import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { isOpenTaskOf } from '../cadence-records/enrollment-states.rules.ts'
import { listEnrollments } from '../cadence-records/enrollments.queries.ts'
import { listRuns } from '../cadence-records/runs.queries.ts'
import { lockRunsWithParents } from '../cadence-runs/lock-runs.service.ts'
import { updateTaskUsers } from '../cadence-runs/sender-enrollments.queries.ts'

type Leaving = { userId: string; successorId: string | undefined }

/** Gives the open tasks of a user who leaves to the successor, or back to their senders. Those of senders who are not active stay. */
export async function returnTasks(
  tx: TenantTx,
  runIds: readonly string[],
  { userId, successorId }: Leaving,
): Promise<void> {
  const enrollmentIds = (await listRuns(tx, runIds)).map(({ enrollment_id }) => enrollment_id)
  const found = await listEnrollments(tx, enrollmentIds)
  await lockPersons(tx, {
    leadIds: found.flatMap(({ lead_id }) => lead_id ?? []),
    contactIds: found.flatMap(({ contact_id }) => contact_id ?? []),
  })
  const runs = (await listRuns(tx, runIds)).filter((run) => isOpenTaskOf(run, userId))
  const enrollments = await listEnrollments(tx, enrollmentIds)
  const senderIdOf = new Map(enrollments.map(({ id, sender_id }) => [id, sender_id]))
  const active = await filterActiveUserIds(
    tx,
    enrollments.flatMap(({ sender_id }) => sender_id ?? []),
  )
  const given = runs.flatMap(({ id, activity_id, enrollment_id }) => {
    const toUserId = successorId ?? senderIdOf.get(enrollment_id)
    const isActive = toUserId === successorId || active.has(toUserId ?? '')
    return toUserId && isActive ? [{ id, activityId: activity_id!, toUserId }] : []
  })
  await reassignTasks(
    tx,
    given.map(({ activityId, toUserId }) => ({ id: activityId, assignee_id: toUserId })),
  )

  const locked = await lockRunsWithParents(
    tx,
    given.map(({ id }) => id),
  )
  const open = new Set(locked.runs.filter((run) => isOpenTaskOf(run, userId)).map(({ id }) => id))
  await updateTaskUsers(
    tx,
    given.filter(({ id }) => open.has(id)).map(({ id, toUserId }) => ({ id, task_user_id: toUserId })),
  )
}
