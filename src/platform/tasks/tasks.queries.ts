import { type Insertable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import type { Outcome } from './outcome.rules.ts'
import type { TaskError } from './task.ts'

type NewTask = Omit<Insertable<Database['platform.background_tasks']>, 'tenant_id' | 'state' | 'seq'>

/** What is done by whoever works on a task. `run_id` tells them from a worker that was given up for dead. */
export type Run = { id: string; run_id: string }

const runColumns = [
  'id',
  'kind',
  'title',
  'state',
  'attempt',
  'run_id',
  'checkpoint',
  'error',
  'created_by',
  'resource_type',
  'resource_id',
  'cancel_requested_at',
] as const

export async function insertTask(tx: TenantTx, task: NewTask): Promise<void> {
  await tx.insertInto('platform.background_tasks').values(task).execute()
}

export function lockTask(tx: TenantTx, id: string) {
  return tx
    .selectFrom('platform.background_tasks')
    .select(runColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** In the order of their ids, so that two who lock several never wait for each other. */
export function lockOpenTasks(tx: TenantTx, kind: string) {
  return tx
    .selectFrom('platform.background_tasks')
    .select(runColumns)
    .where('kind', '=', kind)
    .where('state', 'in', ['queued', 'running'])
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function markRunning(tx: TenantTx, { id, run_id }: Run): Promise<void> {
  await tx
    .updateTable('platform.background_tasks')
    .set({
      state: 'running',
      run_id,
      attempt: sql`attempt + 1`,
      started_at: sql`coalesce(started_at, now())`,
      error: null,
    })
    .where('id', '=', id)
    .execute()
}

/** The next attempt goes on from the checkpoint. An attempt that only made way for another process does not count. */
export async function markQueuedAgain(tx: TenantTx, { id, run_id }: Run, error: TaskError | null): Promise<void> {
  await tx
    .updateTable('platform.background_tasks')
    .set({
      state: 'queued',
      run_id: null,
      attempt: error ? sql`attempt` : sql`attempt - 1`,
      error: error && JSON.stringify(error),
    })
    .where('id', '=', id)
    .where('run_id', '=', run_id)
    .execute()
}

export async function markFinished(tx: TenantTx, id: string, { state, result = null, error = null }: Outcome) {
  await tx
    .updateTable('platform.background_tasks')
    .set({ state, result, error: error && JSON.stringify(error), run_id: null, finished_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** What has been done stays done: progress never falls, not even when an attempt starts over. */
export async function writeProgress(tx: TenantTx, { id, run_id }: Run, done: number, total: number | null) {
  await tx
    .updateTable('platform.background_tasks')
    .set({
      progress_done: sql`greatest(progress_done, ${done}::bigint)`,
      progress_total: sql`coalesce(${total}::bigint, progress_total)`,
    })
    .where('id', '=', id)
    .where('run_id', '=', run_id)
    .execute()
}

/** Tells whether the run still holds the task. */
export async function writeCheckpoint(tx: TenantTx, { id, run_id }: Run, checkpoint: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('platform.background_tasks')
    .set({ checkpoint })
    .where('id', '=', id)
    .where('run_id', '=', run_id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export function findRun(tx: TenantTx, { id, run_id }: Run) {
  return tx
    .selectFrom('platform.background_tasks')
    .select('cancel_requested_at')
    .where('id', '=', id)
    .where('run_id', '=', run_id)
    .executeTakeFirst()
}

export async function askToStop(tx: TenantTx, id: string): Promise<void> {
  await tx
    .updateTable('platform.background_tasks')
    .set({ cancel_requested_at: sql`coalesce(cancel_requested_at, now())` })
    .where('id', '=', id)
    .execute()
}

/** At most `limit` of those that ended before an instant. Tells how many. */
export async function deleteTasksFinishedBefore(tx: TenantTx, instant: Date, limit: number): Promise<number> {
  const old = tx
    .selectFrom('platform.background_tasks')
    .select('id')
    .where('finished_at', '<', instant)
    .orderBy('finished_at')
    .limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('platform.background_tasks').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
