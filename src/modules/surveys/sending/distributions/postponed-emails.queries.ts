import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type PostponedEmail = { ref_id: string; run_at: Date }

const toRows = (emails: readonly PostponedEmail[]) =>
  sql`json_to_recordset(${JSON.stringify(emails)}::json) as postponed (ref_id uuid, run_at timestamptz)`

export async function listPostponedDistributions(
  tx: TenantTx,
  emails: readonly PostponedEmail[],
): Promise<Map<string, Date>> {
  const ids = emails.map(({ ref_id }) => ref_id)
  const { rows } = await sql<{ distribution_id: string; continues_at: Date }>`
    select invitation.distribution_id, min(postponed.run_at) as continues_at
    from ${toRows(emails)} join surveys.invitations invitation on invitation.id = postponed.ref_id
    where invitation.id = any (${ids}::uuid[]) group by invitation.distribution_id
  `.execute(tx)
  return new Map(rows.map(({ distribution_id, continues_at }) => [distribution_id, continues_at]))
}

/** Lets an invitation whose email is sent later expire later. For locked invitations. */
export async function extendInvitations(tx: TenantTx, emails: readonly PostponedEmail[]): Promise<void> {
  const ids = emails.map(({ ref_id }) => ref_id)
  await sql`
    update surveys.invitations invitation
    set expires_at = greatest(invitation.expires_at, postponed.run_at + make_interval(days => distribution.expires_in_days))
    from ${toRows(emails)}, surveys.distributions distribution
    where invitation.id = any (${ids}::uuid[]) and invitation.id = postponed.ref_id and invitation.status = 'pending'
      and distribution.id = invitation.distribution_id
    returning invitation.id
  `.execute(tx)
}
