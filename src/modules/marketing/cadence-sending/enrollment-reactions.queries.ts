import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { isLive } from '../cadence-records/enrollments.queries.ts'

type PersonIds = { leadIds: readonly string[]; contactIds: readonly string[] }

/** Live enrollments of the persons, in cadences that end with a meeting. */
export async function listEnrollmentsEndedByMeeting(
  tx: TenantTx,
  { leadIds, contactIds }: PersonIds,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select enrollment.id from (
      select id, cadence_id from marketing.cadence_enrollments where lead_id = any (${leadIds}::uuid[]) and ${isLive}
      union
      select id, cadence_id from marketing.cadence_enrollments where contact_id = any (${contactIds}::uuid[]) and ${isLive}
    ) as enrollment
    join marketing.cadences cadence on cadence.id = enrollment.cadence_id
    where (cadence.exit_on ->> 'meeting')::boolean
    order by enrollment.id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Live enrollments of the persons, and all others with one of their email addresses. */
export async function listLiveEnrollmentsOfAddresses(
  tx: TenantTx,
  { leadIds, contactIds }: PersonIds,
  addresses: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from marketing.cadence_enrollments where lead_id = any (${leadIds}::uuid[]) and ${isLive}
    union
    select id from marketing.cadence_enrollments where contact_id = any (${contactIds}::uuid[]) and ${isLive}
    union
    select id from marketing.cadence_enrollments
    where person_email_key = any (${addresses}::text[]) and status = any (array['active', 'paused'])
    order by id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Active enrollments of a sender, by id. */
export async function listActiveEnrollmentsOfSender(
  tx: TenantTx,
  senderId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select('id')
    .where('sender_id', '=', senderId)
    .where('status', '=', sql.lit('active'))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
