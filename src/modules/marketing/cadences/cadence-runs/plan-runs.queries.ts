import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export type PlannedRun = { id: string; enrollment_id: string; cadence_id: string; step_id: string; run_at: Date }

/**
 * Inserts runs, or moves those that were not executed. A run whose email was queued before gets the new id, because an email is queued
 * only once. Runs that are being executed stay as they are.
 */
export async function upsertRuns(tx: TenantTx, runs: readonly PlannedRun[]): Promise<void> {
  if (!runs.length) return
  const { columns, rows } = selectRows(runs, {
    id: 'uuid',
    enrollment_id: 'uuid',
    cadence_id: 'uuid',
    step_id: 'uuid',
    run_at: 'timestamptz',
  })
  await tx
    .insertInto('marketing.cadence_step_runs')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'enrollment_id', 'step_id'])
        .doUpdateSet({
          id: sql`case when cadence_step_runs.state = 'waiting' then cadence_step_runs.id else excluded.id end`,
          state: 'waiting',
          run_at: sql`excluded.run_at`,
          claimed_at: null,
          done_at: null,
          reserved_on: null,
          activity_id: null,
          skip_reason: null,
        })
        .where(sql<boolean>`cadence_step_runs.state in ('waiting', 'skipped', 'failed')`),
    )
    .execute()
}

export type PlannedEnrollment = { id: string; current_step_id: string; next_run_at: Date | null }

export async function updatePlannedEnrollments(tx: TenantTx, enrollments: readonly PlannedEnrollment[]): Promise<void> {
  if (!enrollments.length) return
  await sql`
    update marketing.cadence_enrollments enrollment
    set status = 'active', paused_reason = null, paused_until = null,
      current_step_id = planned.current_step_id, next_run_at = planned.next_run_at
    from json_to_recordset(${JSON.stringify(enrollments)}::json)
      as planned (id uuid, current_step_id uuid, next_run_at timestamptz)
    where enrollment.id = planned.id and enrollment.id = any(${enrollments.map(({ id }) => id)}::uuid[])
    returning enrollment.id
  `.execute(tx)
}
