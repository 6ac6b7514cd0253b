import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export async function updateSampleCadence(
  tx: TenantTx,
  id: string,
  { status, at }: { status: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('marketing.cadences')
    .set({ status, created_at: at, updated_at: at })
    .where('id', '=', id)
    .execute()
}

export type SampleEnrollmentRow = {
  id: string
  cadence_id: string
  lead_id: string
  person_email_key: string
  sender_id: string
  status: string
  exit_reason: string | null
  paused_reason: string | null
  paused_until: Date | null
  current_step_id: string | null
  next_run_at: Date | null
  enrolled_by: string | null
  enrolled_via: string
  enrolled_at: Date
  last_step_at: Date | null
  ended_at: Date | null
  first_delivered_at: Date | null
  replied_at: Date | null
}

export async function insertSampleEnrollments(
  tx: TenantTx,
  enrollments: readonly SampleEnrollmentRow[],
): Promise<void> {
  const { columns, rows } = selectRows(enrollments, {
    id: 'uuid',
    cadence_id: 'uuid',
    lead_id: 'uuid',
    person_email_key: 'text',
    sender_id: 'uuid',
    status: 'text',
    exit_reason: 'text',
    paused_reason: 'text',
    paused_until: 'timestamptz',
    current_step_id: 'uuid',
    next_run_at: 'timestamptz',
    enrolled_by: 'uuid',
    enrolled_via: 'text',
    enrolled_at: 'timestamptz',
    last_step_at: 'timestamptz',
    ended_at: 'timestamptz',
    first_delivered_at: 'timestamptz',
    replied_at: 'timestamptz',
  })
  await tx.insertInto('marketing.cadence_enrollments').columns(columns).expression(rows).execute()
}

export type SampleRunRow = {
  id: string
  enrollment_id: string
  cadence_id: string
  step_id: string
  state: string
  run_at: Date
  claimed_at: Date | null
  done_at: Date | null
  reserved_on: string | null
  activity_id: string | null
  task_user_id: string | null
  skip_at: Date | null
  replied_at: Date | null
  bounced_at: Date | null
}

export async function insertSampleRuns(tx: TenantTx, runs: readonly SampleRunRow[]): Promise<void> {
  const { columns, rows } = selectRows(runs, {
    id: 'uuid',
    enrollment_id: 'uuid',
    cadence_id: 'uuid',
    step_id: 'uuid',
    state: 'text',
    run_at: 'timestamptz',
    claimed_at: 'timestamptz',
    done_at: 'timestamptz',
    reserved_on: 'date',
    activity_id: 'uuid',
    task_user_id: 'uuid',
    skip_at: 'timestamptz',
    replied_at: 'timestamptz',
    bounced_at: 'timestamptz',
  })
  await tx.insertInto('marketing.cadence_step_runs').columns(columns).expression(rows).execute()
}

/** Deletes sample cadences with their steps and enrollments. A cadence in which a user has enrolled others is kept. */
export async function deleteSampleCadences(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  await sql`select id from marketing.cadences where id = any (${ids}::uuid[]) order by id for update`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    delete from marketing.cadences cadence where id = any (${ids}::uuid[]) and not exists (
      select from marketing.cadence_enrollments enrollment
      where enrollment.cadence_id = cadence.id and enrollment.enrolled_via <> 'sample')
    returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}
