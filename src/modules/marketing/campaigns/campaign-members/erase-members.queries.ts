import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type PersonIds = { lead_ids: readonly string[]; contact_ids: readonly string[] }

export async function eraseMemberNotes(tx: TenantTx, { lead_ids, contact_ids }: PersonIds): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with locked as (
      select id from marketing.campaign_members
      where (lead_id = any (${lead_ids}::uuid[]) or contact_id = any (${contact_ids}::uuid[])) and note is not null
      order by id for update
    )
    update marketing.campaign_members member set note = null from locked where member.id = locked.id
  `.execute(tx)
  return Number(numAffectedRows)
}
