import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function findItemsWithForeignVersion(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select item.id from enablement.content_items item
    join enablement.content_versions version on version.id = item.current_version_id
    where version.item_id <> item.id or version.removed_at is not null
    limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

const viewsOfDays = sql`(select coalesce(sum(views), 0) from enablement.content_daily_stats day where day.item_id = stats.item_id)`

/** The recount writes days and totals in one transaction, so they never differ while it runs. */
export async function findItemsWithWrongViews(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select item_id as id from enablement.content_item_stats stats where views_total <> ${viewsOfDays} limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function recountViews(tx: TenantTx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update enablement.content_item_stats stats set views_total = ${viewsOfDays} where item_id = any (${ids}::uuid[])
  `.execute(tx)
  return Number(numAffectedRows)
}
