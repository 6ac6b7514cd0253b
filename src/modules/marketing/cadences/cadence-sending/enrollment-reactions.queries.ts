import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type EnrollmentRow, isLive } from '../cadence-records/enrollments.queries.ts'

const columns = sql`id, lead_id, contact_id, person_email_key, enrolled_at`
type LiveEnrollment = Pick<EnrollmentRow, 'id' | 'lead_id' | 'contact_id' | 'person_email_key' | 'enrolled_at'>
type PersonIds = { leadIds: readonly string[]; contactIds: readonly string[] }

/** Live enrollments of the persons, and all others with one of their email addresses. */
export async function listLiveEnrollmentsOfAddresses(
  tx: TenantTx,
  { leadIds, contactIds }: PersonIds,
  addresses: readonly string[],
): Promise<LiveEnrollment[]> {
  const { rows } = await sql<LiveEnrollment>`
    select ${columns} from marketing.cadence_enrollments where lead_id = any (${leadIds}::uuid[]) and ${isLive}
    union
    select ${columns} from marketing.cadence_enrollments where contact_id = any (${contactIds}::uuid[]) and ${isLive}
    union
    select ${columns} from marketing.cadence_enrollments
    where person_email_key = any (${addresses}::text[]) and status = any (array['active', 'paused'])
    order by id
  `.execute(tx)
  return rows
}

/** Emails have a place under the daily limits, tasks have none. */
export async function countRecentEmails(
  tx: TenantTx,
  cadenceId: string,
  since: Date,
): Promise<{ sent: number; bounced: number }> {
  const { rows } = await sql<{ sent: number; bounced: number }>`
    select count(*)::integer as sent, count(bounced_at)::integer as bounced from marketing.cadence_step_runs
    where cadence_id = ${cadenceId} and done_at > ${since} and state = 'done' and reserved_on is not null
  `.execute(tx)
  return rows[0]!
}
