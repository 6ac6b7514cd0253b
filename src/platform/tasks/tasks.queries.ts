import { type Insertable, sql } from 'kysely'
import { containsAnyText, type Database, type SystemTx, type TenantTx } from '#platform/db'
import type { TaskOutcome } from './outcome.rules.ts'
import type { TaskError } from './task.ts'

type NewTask = Omit<Insertable<Database['platform.background_tasks']>, 'tenant_id' | 'state' | 'seq'>

/** One run of a task. Writes of an earlier run, whose worker was assumed dead, do not match its `run_id`. */
export type TaskRun = { id: string; run_id: string }

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
  'is_private',
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

export async function findTaskState(tx: TenantTx, id: string): Promise<string | undefined> {
  const task = await tx.selectFrom('platform.background_tasks').select('state').where('id', '=', id).executeTakeFirst()
  return task?.state
}

/** Locks in id order to avoid deadlocks. */
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

export async function markRunning(tx: TenantTx, { id, run_id }: TaskRun): Promise<void> {
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

export async function markContinued(tx: TenantTx, { id, run_id }: TaskRun, nextRunId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('platform.background_tasks')
    .set({ run_id: nextRunId, attempt: sql`attempt - 1` })
    .where('id', '=', id)
    .where('run_id', '=', run_id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Without an error, the run only made way for a shutdown and does not count as an attempt. */
export async function markRequeued(tx: TenantTx, { id, run_id }: TaskRun, error: TaskError | null): Promise<void> {
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

export async function markFinished(tx: TenantTx, id: string, { state, result = null, error = null }: TaskOutcome) {
  await tx
    .updateTable('platform.background_tasks')
    .set({ state, result, error: error && JSON.stringify(error), run_id: null, finished_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

export async function updateProgress(tx: TenantTx, { id, run_id }: TaskRun, done: number, total: number | null) {
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

export async function updateCheckpoint(tx: TenantTx, { id, run_id }: TaskRun, checkpoint: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('platform.background_tasks')
    .set({ checkpoint })
    .where('id', '=', id)
    .where('run_id', '=', run_id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export function findRun(tx: TenantTx, { id, run_id }: TaskRun) {
  return tx
    .selectFrom('platform.background_tasks')
    .select('cancel_requested_at')
    .where('id', '=', id)
    .where('run_id', '=', run_id)
    .executeTakeFirst()
}

export async function requestCancellation(tx: TenantTx, id: string): Promise<void> {
  await tx
    .updateTable('platform.background_tasks')
    .set({ cancel_requested_at: sql`coalesce(cancel_requested_at, now())` })
    .where('id', '=', id)
    .execute()
}

export async function deleteTasksFinishedBefore(tx: TenantTx, instant: Date, limit: number): Promise<number> {
  const old = tx
    .selectFrom('platform.background_tasks')
    .select('id')
    .where('finished_at', '<', instant)
    .orderBy('finished_at')
    .limit(limit)
  const locked = tx
    .selectFrom('platform.background_tasks')
    .select('id')
    .where('id', 'in', () => old)
    .orderBy('id')
    .forUpdate()
  const { numDeletedRows } = await tx
    .deleteFrom('platform.background_tasks')
    .where('id', 'in', () => locked)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Erases title, result and error message of tasks that contain one of the texts; the checkpoint only after their end. */
export async function redactTasks(tx: TenantTx, mentions: readonly string[]): Promise<number> {
  const texts = sql`concat_ws(' ', title, result, error, case when finished_at is not null then checkpoint end)`
  const { numAffectedRows = 0n } = await sql`
    update platform.background_tasks
    set title = kind, result = null, error = jsonb_set(error, '{message}', '"[erased]"'),
      checkpoint = case when finished_at is null then checkpoint end
    where id = any (array(
      select id from platform.background_tasks where ${containsAnyText(texts, mentions)} order by id for update))
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Requeues running tasks without a running job; the 30 seconds exclude tasks claimed after the jobs were read. */
export async function requeueLostTasks(tx: SystemTx, idsWithJob: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with lost as (
      select t.tenant_id, t.id from platform.background_tasks t
      where t.state = 'running' and t.updated_at < now() - interval '30 seconds'
        and not t.id::text = any (${idsWithJob}::text[])
      order by t.id for update skip locked
    )
    update platform.background_tasks t
    set state = 'queued', run_id = null
    from lost where t.tenant_id = lost.tenant_id and t.id = lost.id
    returning t.id
  `.execute(tx)
  return rows.map(({ id }) => id)
}
