import { type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

export type RunState = 'waiting' | 'claimed' | 'done' | 'skipped' | 'failed' | 'uncertain'

export const runColumns = [
  'id',
  'enrollment_id',
  'cadence_id',
  'step_id',
  'state',
  'run_at',
  'claimed_at',
  'done_at',
  'reserved_on',
  'activity_id',
  'task_user_id',
  'skip_at',
  'subject',
  'body',
  'skip_reason',
  'replied_at',
  'bounced_at',
] as const
export type RunRow = Omit<
  Pick<Selectable<Database['marketing.cadence_step_runs']>, (typeof runColumns)[number]>,
  'state'
> & { state: RunState }

export async function listRuns(tx: TenantTx, ids: readonly string[]): Promise<RunRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select(runColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return rows as unknown as RunRow[]
}

export async function listRunsOfEnrollments(tx: TenantTx, enrollmentIds: readonly string[]): Promise<RunRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select(runColumns)
    .where('enrollment_id', '=', sql<string>`any(${enrollmentIds}::uuid[])`)
    .execute()
  return rows as unknown as RunRow[]
}

/** For transactions that hold the enrollments of the runs. */
export async function lockRuns(tx: TenantTx, ids: readonly string[]): Promise<RunRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select(runColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows as unknown as RunRow[]
}

export async function lockOpenRuns(tx: TenantTx, enrollmentIds: readonly string[]): Promise<RunRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select(runColumns)
    .where('enrollment_id', '=', sql<string>`any(${enrollmentIds}::uuid[])`)
    .where('state', 'in', ['waiting', 'claimed'])
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows as unknown as RunRow[]
}

/** For locked runs. A run that ends has no open task; only one that may be executed again keeps the text of the sender. */
export async function endRuns(
  tx: TenantTx,
  runs: readonly { id: string; state: RunState; skip_reason?: string | null; done_at?: Date | null }[],
): Promise<void> {
  if (!runs.length) return
  await sql`
    update marketing.cadence_step_runs run
    set state = ended.state, skip_reason = ended.skip_reason, done_at = coalesce(ended.done_at, run.done_at),
      reserved_on = case when ended.state in ('done', 'uncertain') then run.reserved_on end,
      task_user_id = null, skip_at = null,
      subject = case when ended.state = 'failed' or ended.skip_reason = 'paused' then run.subject end,
      body = case when ended.state = 'failed' or ended.skip_reason = 'paused' then run.body end
    from json_to_recordset(${JSON.stringify(runs)}::json) as ended (id uuid, state text, skip_reason text, done_at timestamptz)
    where run.id = ended.id and run.id = any(${runs.map(({ id }) => id)}::uuid[])
    returning run.id
  `.execute(tx)
}
