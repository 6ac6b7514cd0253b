import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { EnrollmentMeasure, StepMeasure } from '../cadence-records/enrollment-states.rules.ts'

export const runConditions: Record<StepMeasure, RawBuilder<boolean>> = {
  sent: sql`run.state = 'done' and run.reserved_on is not null`,
  opened: sql`run.first_opened_at is not null`,
  clicked: sql`run.first_clicked_at is not null`,
  replied: sql`run.replied_at is not null`,
  bounced: sql`run.bounced_at is not null`,
  tasks_done: sql`run.state = 'done' and run.reserved_on is null`,
  tasks_skipped: sql`run.state = 'skipped' and run.skip_reason in ('skipped_by_user', 'not_done_in_time', 'task_deleted')`,
}

export const enrollmentConditions: Record<EnrollmentMeasure, RawBuilder<boolean>> = {
  enrolled: sql`true`,
  completed: sql`enrollment.status = 'completed'`,
  exited: sql`enrollment.status = 'exited'`,
  persons_delivered: sql`enrollment.first_delivered_at is not null`,
  persons_replied: sql`enrollment.replied_at is not null`,
}

const toValues = (conditions: Record<string, RawBuilder<boolean>>) =>
  sql.join(Object.entries(conditions).map(([measure, condition]) => sql`(${sql.lit(measure)}, ${condition})`))

/** Read in one statement: a change of enrollments or runs and its counts are visible together. */
const drift = sql`
  select cadence_id, step_id, measure, sum(value)::integer as difference
  from (
    select enrollment.cadence_id, enrollment.cadence_id as step_id, counted.measure, count(*) as value
    from marketing.cadence_enrollments enrollment
    cross join lateral (values ${toValues(enrollmentConditions)},
      ('exited_' || enrollment.exit_reason, enrollment.status = 'exited')) as counted (measure, applies)
    where counted.applies
    group by enrollment.cadence_id, counted.measure
    union all
    select run.cadence_id, level.step_id, counted.measure, count(*)
    from marketing.cadence_step_runs run
    cross join lateral (values ${toValues(runConditions)}) as counted (measure, applies)
    cross join lateral (values (run.step_id), (run.cadence_id)) as level (step_id)
    where counted.applies
    group by run.cadence_id, level.step_id, counted.measure
    union all
    select cadence_id, step_id, measure, -value from marketing.cadence_counts
  ) as counted
  group by cadence_id, step_id, measure
  having sum(value) <> 0`

export async function listCadenceCountDrift(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct drift.cadence_id as id from (${drift}) as drift order by 1 limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Adds the differences, so that counts of concurrent transactions are kept. Returns the number of corrected cadences. */
export async function correctCadenceCounts(tx: TenantTx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ cadences: number }>`
    with corrected as (
      insert into marketing.cadence_counts (cadence_id, step_id, measure, value)
      select cadence_id, step_id, measure, difference from (${drift}) as drift
      where drift.cadence_id = any (${ids}::uuid[]) order by cadence_id, step_id, measure
      on conflict (tenant_id, cadence_id, step_id, measure)
      do update set value = cadence_counts.value + excluded.value
      returning cadence_id
    )
    select count(distinct cadence_id)::integer as cadences from corrected
  `.execute(tx)
  return rows[0]!.cadences
}

/** Cadences whose enrollments can have changed since then. */
export async function listCadencesToCount(tx: TenantTx, since: Date, page: { after: string; limit: number }) {
  const rows = await tx
    .selectFrom('marketing.cadences')
    .select('id')
    .where('id', '>', page.after)
    .where(sql<boolean>`(status in ('active', 'paused') or (status = 'archived' and updated_at >= ${since}))`)
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return rows.map(({ id }) => id)
}
