import { sql } from 'kysely'
import { selectPersonKeys } from '#modules/crm'
import type { TenantTx } from '#platform/db'

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** Active enrollments of active cadences without a step that waits or is being executed. */
export async function listEnrollmentsWithoutRun(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select enrollment.id
    from marketing.cadences cadence
    join marketing.cadence_enrollments enrollment on enrollment.cadence_id = cadence.id and enrollment.status = 'active'
    where cadence.status = 'active' and not exists (
      select from marketing.cadence_step_runs run
      where run.enrollment_id = enrollment.id and run.state in ('waiting', 'claimed'))
    order by enrollment.id limit ${limit}
  `.execute(tx)
  return idsOf(rows)
}

/** Live enrollments of a person who has an older one in the same cadence, as a converted lead or with the same email address. */
export async function listRepeatedEnrollments(tx: TenantTx, limit: number): Promise<string[]> {
  const personKeys = selectPersonKeys({
    lead_id: sql.ref('enrollment.lead_id'),
    contact_id: sql.ref('enrollment.contact_id'),
  })
  const { rows } = await sql<{ id: string }>`
    with live as (
      select enrollment.id, enrollment.cadence_id, person.email_key,
        coalesce(person.converted_contact_id, enrollment.contact_id, enrollment.lead_id) as person_id
      from marketing.cadence_enrollments enrollment
      cross join lateral (${personKeys}) person
      where enrollment.status in ('active', 'paused')
    ), ranked as (
      select id,
        row_number() over (partition by cadence_id, person_id order by id) as of_person,
        case when email_key is null then 1 else row_number() over (partition by cadence_id, email_key order by id) end as of_email
      from live
    )
    select id from ranked where of_person > 1 or of_email > 1 order by id limit ${limit}
  `.execute(tx)
  return idsOf(rows)
}

export async function listClaimedEmailRuns(tx: TenantTx, claimedBefore: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select('id')
    .where('state', '=', sql.lit('claimed'))
    .where('claimed_at', '<', claimedBefore)
    .where('task_user_id', 'is', null)
    .orderBy('claimed_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
