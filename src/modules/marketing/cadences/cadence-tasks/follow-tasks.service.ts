import { listTaskStates } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { isOpenTask } from '../cadence-records/enrollment-states.rules.ts'
import { type FinishedRun, finishLockedRuns } from '../cadence-runs/finish-runs.service.ts'
import { lockRunsWithParents } from '../cadence-runs/lock-runs.service.ts'
import { updateTaskUsers } from '../cadence-runs/sender-enrollments.queries.ts'
import { listTaskRunsOfPersons } from './step-tasks.queries.ts'

type PersonsOfTasks = { kind: 'lead' | 'contact'; ids: readonly string[]; now: Date }

/** Continues after tasks that were completed or deleted, and gives runs to the assignees of their tasks, without one to the sender. */
export async function followTasks(tx: TenantTx, { kind, ids, now }: PersonsOfTasks): Promise<void> {
  const runs = await listTaskRunsOfPersons(tx, `${kind}_id`, ids)
  if (!runs.length) return
  const tasks = await listTaskStates(
    tx,
    runs.map(({ activity_id }) => activity_id),
  )
  const finished = runs.flatMap(({ run_id, activity_id }): FinishedRun[] => {
    const task = tasks.get(activity_id)
    if (!task) return [{ id: run_id, state: 'skipped', skip_reason: 'task_deleted', at: now, measure: 'tasks_skipped' }]
    return task.isCompleted ? [{ id: run_id, state: 'done', at: now, measure: 'tasks_done' }] : []
  })
  const finishedIds = new Set(finished.map(({ id }) => id))
  const given = runs.flatMap(({ run_id, activity_id, task_user_id, sender_id }) => {
    const userId = tasks.get(activity_id)?.assigneeId ?? sender_id ?? task_user_id
    return finishedIds.has(run_id) || userId === task_user_id ? [] : [{ id: run_id, task_user_id: userId }]
  })
  if (!finished.length && !given.length) return

  const locked = await lockRunsWithParents(tx, [...finishedIds, ...given.map(({ id }) => id)])
  const open = new Set(locked.runs.filter(isOpenTask).map(({ id }) => id))
  await updateTaskUsers(
    tx,
    given.filter(({ id }) => open.has(id)),
  )
  const { counts } = await finishLockedRuns(tx, locked, finished)
  await addCounts(tx, counts)
}
