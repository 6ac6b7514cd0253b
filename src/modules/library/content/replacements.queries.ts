import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Returns, per archived item, the published item at the end of its chain of replacements. */
export async function listReplacements(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ requested_id: string; id: string }>`
    with recursive chain as (
      select id as requested_id, superseded_by_id as next_id, 1 as depth from enablement.content_items
      where id = any (${ids}::uuid[]) and status = 'archived' and superseded_by_id is not null
      union all
      select chain.requested_id, item.superseded_by_id, chain.depth + 1
      from chain join enablement.content_items item on item.id = chain.next_id
      where item.status = 'archived' and item.superseded_by_id is not null and chain.depth < 20
    )
    select chain.requested_id, item.id from chain join enablement.content_items item on item.id = chain.next_id
    where item.status = 'published' and item.deleted_at is null
  `.execute(tx)
  return new Map(rows.map(({ requested_id, id }) => [requested_id, id]))
}
