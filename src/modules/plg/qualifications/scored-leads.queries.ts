import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function listScoredLeads(tx: TenantTx, qualificationId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('plg.qualification_leads')
    .select('lead_id')
    .where('qualification_id', '=', qualificationId)
    .execute()
  return rows.map(({ lead_id }) => lead_id)
}

/** Two people or accounts of the product can give a lead the points of the same rule. */
export async function findPointsOfOthers(
  tx: TenantTx,
  { id, rule_key }: { id: string; rule_key: string },
  leadIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ lead_id: string; points: number }>`
    select distinct on (scored.lead_id) scored.lead_id, other.points
    from plg.qualification_leads scored
    join plg.qualifications other on other.id = scored.qualification_id
    where scored.lead_id = any (${leadIds}::uuid[]) and other.id <> ${id}::uuid and other.rule_key = ${rule_key}
      and other.lost_at is null
    order by scored.lead_id, other.qualified_at desc
  `.execute(tx)
  return new Map(rows.map(({ lead_id, points }) => [lead_id, points]))
}

type ScoredLeads = { removed: readonly string[]; added: readonly string[] }

export async function replaceScoredLeads(tx: TenantTx, id: string, { removed, added }: ScoredLeads): Promise<void> {
  await sql`
    delete from plg.qualification_leads where qualification_id = ${id}::uuid and lead_id = any (${removed}::uuid[])
  `.execute(tx)
  await sql`
    insert into plg.qualification_leads (qualification_id, lead_id)
    select ${id}::uuid, lead_id from unnest(${added}::uuid[]) as lead_id order by lead_id
    on conflict on constraint qualification_leads_pkey do nothing
  `.execute(tx)
}
