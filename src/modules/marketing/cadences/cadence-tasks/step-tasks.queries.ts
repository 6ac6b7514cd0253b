import { type SqlBool, sql } from 'kysely'
import {
  type Condition,
  type Page,
  type PagePlan,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import type { SortedPageQuery } from '#platform/schema'
import { type RunRow, runColumns } from '../cadence-records/runs.queries.ts'

type TaskRun = { id: string; activity_id: string; task_user_id: string; skip_at: Date | null }

export async function updateTaskRuns(tx: TenantTx, runs: readonly TaskRun[], now: Date): Promise<void> {
  if (!runs.length) return
  await sql`
    update marketing.cadence_step_runs run set state = 'claimed', claimed_at = ${now}, activity_id = task.activity_id,
      task_user_id = task.task_user_id, skip_at = task.skip_at
    from json_to_recordset(${JSON.stringify(runs)}::json)
      as task (id uuid, activity_id uuid, task_user_id uuid, skip_at timestamptz)
    where run.id = task.id and run.id = any(${runs.map(({ id }) => id)}::uuid[])
    returning run.id
  `.execute(tx)
}

export async function findRunOfTask(tx: TenantTx, activityId: string): Promise<RunRow | undefined> {
  const run = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select(runColumns)
    .where('activity_id', '=', activityId)
    .executeTakeFirst()
  return run as unknown as RunRow | undefined
}

export type OpenTaskRun = { run_id: string; activity_id: string; task_user_id: string; sender_id: string | null }

export async function listTaskRunsOfPersons(
  tx: TenantTx,
  column: 'lead_id' | 'contact_id',
  ids: readonly string[],
): Promise<OpenTaskRun[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments as enrollment')
    .innerJoin('marketing.cadence_step_runs as run', 'run.enrollment_id', 'enrollment.id')
    .select(['run.id as run_id', 'run.activity_id', 'run.task_user_id', 'enrollment.sender_id'])
    .where(`enrollment.${column}`, '=', sql<string>`any(${ids}::uuid[])`)
    .where('enrollment.status', 'in', ['active', 'paused'])
    .where('run.state', '=', 'claimed')
    .where('run.task_user_id', 'is not', null)
    .execute()
  return rows as OpenTaskRun[]
}

/** Open tasks that the senders of enrollments gave to a user. `offset 0` selects the tasks of the user before they are sorted. */
export async function listGivenTaskRunIds(
  tx: TenantTx,
  userId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select run.id from (
      select id, enrollment_id from marketing.cadence_step_runs where task_user_id = ${userId}::uuid offset 0
    ) as run
    join marketing.cadence_enrollments enrollment on enrollment.id = run.enrollment_id
    where run.id > ${after}::uuid and enrollment.sender_id is distinct from ${userId}::uuid
    order by run.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function listTaskIdsOfEnrollments(tx: TenantTx, enrollmentIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select('activity_id')
    .where('enrollment_id', '=', sql<string>`any(${enrollmentIds}::uuid[])`)
    .where('activity_id', 'is not', null)
    .execute()
  return rows.flatMap(({ activity_id }) => activity_id ?? [])
}

/** For a locked run: the email waits until the schedule sends it. */
export async function updateWrittenEmail(
  tx: TenantTx,
  id: string,
  email: { subject: string; body: string; run_at: Date },
): Promise<void> {
  await tx
    .updateTable('marketing.cadence_step_runs')
    .set({ ...email, state: 'waiting', task_user_id: null, skip_at: null })
    .where('id', '=', id)
    .execute()
}

export type StepTaskRow = {
  id: string
  activity_id: string
  task_user_id: string
  claimed_at: Date
  skip_at: Date | null
  enrollment_id: string
  cadence_id: string
  step_id: string
}

const columns = ['id', 'activity_id', 'task_user_id', 'claimed_at', 'skip_at', 'enrollment_id', 'cadence_id', 'step_id']
const orders: SortOrders = { due_at: { by: { claimed_at: 'timestamp' } } }

type StepTaskFilter = { assigneeId: string; due_before?: string | undefined; type?: readonly string[] | undefined }

/** Open tasks of a user. They are due when they are written. */
export async function listStepTaskRows(
  tx: TenantTx,
  { assigneeId, due_before, type }: StepTaskFilter,
  { sort = 'due_at', ...page }: SortedPageQuery,
): Promise<Page<StepTaskRow>> {
  const conditions: Condition[] = [sql<SqlBool>`task_user_id = ${assigneeId}::uuid`]
  if (due_before) conditions.push(sql<SqlBool>`claimed_at < ${due_before}::timestamptz`)
  if (type)
    conditions.push(sql<SqlBool>`exists (
      select from marketing.cadence_steps step
      where step.id = marketing.cadence_step_runs.step_id and step.type = any (${type}::text[]))`)
  const plan: PagePlan = {
    table: 'marketing.cadence_step_runs',
    columns,
    order: sortOrderOf(orders, sort),
    scans: [{ conditions }],
    filters: { assigneeId, due_before, type },
  }
  return await readPage<StepTaskRow>(tx, plan, page)
}
