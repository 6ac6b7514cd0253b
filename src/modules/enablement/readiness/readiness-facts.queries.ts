import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function readExisting(tx: TenantTx): Promise<{ has_scenarios: boolean; has_items: boolean }> {
  const { rows } = await sql<{ has_scenarios: boolean; has_items: boolean }>`
    select exists (select from enablement.coaching_scenarios where status = 'published' and deleted_at is null) as has_scenarios,
      exists (select from enablement.content_items where status = 'published' and deleted_at is null) as has_items
  `.execute(tx)
  return rows[0]!
}
