import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type Person = { emailKeys: readonly string[]; leadIds: readonly string[]; contactIds: readonly string[] }

/** Lists enrollments that are live or have personal data. */
export async function listPersonEnrollments(
  tx: TenantTx,
  { emailKeys, leadIds, contactIds }: Person,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from marketing.cadence_enrollments enrollment
    where (lead_id = any (${leadIds}::uuid[]) or contact_id = any (${contactIds}::uuid[])
        or person_email_key = any (${emailKeys}::text[]))
      and (status in ('active', 'paused') or person_email_key is not null or exists (
        select from marketing.cadence_step_runs run
        where run.enrollment_id = enrollment.id and num_nonnulls(run.subject, run.body) > 0))
    order by id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function eraseEnrollments(tx: TenantTx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update marketing.cadence_enrollments set person_email_key = null where id = any (${ids}::uuid[])
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function eraseRunTexts(tx: TenantTx, enrollmentIds: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update marketing.cadence_step_runs set subject = null, body = null
    where enrollment_id = any (${enrollmentIds}::uuid[]) and num_nonnulls(subject, body) > 0
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function eraseSenderSettings(tx: TenantTx, userId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from marketing.cadence_senders where user_id = ${userId}::uuid
  `.execute(tx)
  return Number(numAffectedRows)
}
