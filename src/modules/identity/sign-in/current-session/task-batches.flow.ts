import type { Actor, Scope, UserActor } from '#platform/access'
import { createBatchPace } from '#platform/concurrency'
import { inTenant, retryOnContention, type TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import type { TaskContext } from '#platform/tasks'
import type { TaskRequester } from './auth.schemas.ts'
import { resolveTaskRequester } from './task-requester.service.ts'

type TaskBatches<Progress> = {
  requester: TaskRequester
  /** Source of the changes, for subscribers and provenance. */
  origin?: Actor['origin']
  scopes: readonly Scope[]
  /** Progress before the first batch. */
  start: Progress
  isComplete(progress: Progress): boolean
  countDone(progress: Progress): number
  runBatch(tx: TenantTx, actor: UserActor, progress: Progress): Promise<Progress>
}

/**
 * Runs the batches of a task as its requester, whose permissions are checked before each of them. The checkpoint is saved in the
 * transaction of its batch, so a retry neither repeats nor skips records. Returns the progress, also if the task was cancelled or failed.
 */
export async function runTaskBatches<Progress>(
  context: TaskContext<Progress>,
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { requester, origin, scopes, start, isComplete, countDone, runBatch }: TaskBatches<NoInfer<Progress>>,
): Promise<Progress> {
  const { checkpoint, signal } = context
  const pace = createBatchPace()
  let progress = checkpoint.value ?? start
  const runNext = async (from: Progress): Promise<{ next: Progress }> => {
    const resolved = await context.inTenant((tx) => resolveTaskRequester(tx, requester, { scopes, now: clock.now() }))
    const actor = origin ? { ...resolved, origin } : resolved
    const runAndSave = async (tx: TenantTx) => {
      const next = await runBatch(tx, actor, from)
      await checkpoint.save(tx, next)
      return { next }
    }
    return await retryOnContention(() => inTenant(db, actor, runAndSave, 'job'), signal)
  }
  while (!isComplete(progress) && !(await context.isCancelled())) {
    const startedAt = performance.now()
    const batch = await runNext(progress).catch(context.failWith)
    if (!batch) break
    progress = batch.next
    context.reportProgress(countDone(progress))
    await pace(performance.now() - startedAt, signal)
  }
  return progress
}
