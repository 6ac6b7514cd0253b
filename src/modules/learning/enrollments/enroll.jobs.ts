import { type Static, Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, nullable, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, type StartedTask, startTask } from '#platform/tasks'
import type { PathRow } from '../records/path-row.ts'
import { assertMayEnroll } from './enroll-access.service.ts'
import { enrollUsers } from './enroll-users.service.ts'
import type { EnrollInput } from './enrollments.schemas.ts'

const EnrollTask = strict({
  path_id: Id,
  user_ids: Type.Array(Id),
  requested: strict({ user_ids: Type.Optional(Type.Array(Id)), team_ids: Type.Optional(Type.Array(Id)) }),
  due_on: Type.Optional(nullable(Type.String())),
  is_mandatory: Type.Boolean(),
  by: TaskRequester,
})
const enrollTask = defineTask('enablement.enroll_users', 'bulk', EnrollTask)

const batchSize = 500
const maxShown = 200

type Skipped = { user_id: string; reason: 'inactive' | 'viewer' }
type Progress = { done: number; enrolled: number; already: number; skipped: number; shown: Skipped[] }
type NewTask = { userIds: string[]; requested: EnrollInput; dueOn?: string | null; isMandatory: boolean }

export const startEnrolling = (
  tx: TenantTx,
  actor: UserActor,
  { id, title }: PathRow,
  { userIds, requested: { user_ids, team_ids }, dueOn, isMandatory }: NewTask,
): Promise<StartedTask> =>
  startTask(
    tx,
    enrollTask,
    {
      path_id: id,
      user_ids: userIds,
      requested: { user_ids, team_ids },
      due_on: dueOn,
      is_mandatory: isMandatory,
      by: toTaskRequester(actor),
    },
    {
      title: `Enroll ${userIds.length} users in ${title}`,
      total: userIds.length,
      resource: { type: 'learning_path', id },
    },
  )

/** Counts the users of the task; the result lists the first who were skipped. */
export const enrollUsersHandler = (services: Pick<Services, 'db' | 'clock'>): JobHandler =>
  defineTaskHandler<typeof EnrollTask, Progress>(enrollTask, async (context, input) => {
    const { shown, enrolled, already, skipped } = await runTaskBatches(context, services, {
      requester: input.by,
      scopes: ['learning.write'],
      start: { done: 0, enrolled: 0, already: 0, skipped: 0, shown: [] },
      isComplete: ({ done }) => done === input.user_ids.length,
      countDone: ({ done }) => done,
      runBatch: (tx, actor, progress) => enrollBatch(tx, actor, input, progress, services.clock.now()),
    })
    return { enrolled, already, skipped, skipped_users: shown }
  })

/** The role of the requester may have changed since the request. */
async function enrollBatch(
  tx: TenantTx,
  actor: UserActor,
  { path_id, user_ids, requested, due_on, is_mandatory }: Static<typeof EnrollTask>,
  progress: Progress,
  now: Date,
): Promise<Progress> {
  await assertMayEnroll(tx, actor, requested)
  const batch = user_ids.slice(progress.done, progress.done + batchSize)
  const { result } = await enrollUsers(tx, path_id, batch, {
    source: 'assigned',
    assignedBy: actor.userId,
    isMandatory: is_mandatory,
    dueOn: due_on,
    again: 'closed',
    now,
  })
  return {
    done: progress.done + batch.length,
    enrolled: progress.enrolled + result.enrolled.length,
    already: progress.already + result.already.length,
    skipped: progress.skipped + result.skipped.length,
    shown: [...progress.shown, ...result.skipped].slice(0, maxShown),
  }
}
