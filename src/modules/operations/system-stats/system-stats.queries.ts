import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { RowCondition } from '#platform/module'

const maxCount = 10_000

/** Counts up to 10,000 rows of each table, without soft-deleted ones and without those that do not exist for admins. */
export async function countRecords(
  tx: TenantTx,
  tables: readonly string[],
  isSealed: ReadonlyMap<string, RowCondition>,
) {
  const softDeleted = await listTablesWithDeletedAt(tx, tables)
  const counts = tables.map((table) => {
    const isKept = softDeleted.has(table) ? sql`deleted_at is null` : sql`true`
    const condition = sql`${isKept} and not ${isSealed.get(table) ?? sql`false`}`
    return sql`select ${sql.lit(table)} as name,
      (select count(*)::integer from (select from ${sql.table(table)} where ${condition} limit ${sql.lit(maxCount + 1)}) as found) as n`
  })
  const { rows } = await sql<{ name: string; n: number }>`${sql.join(counts, sql` union all `)}`.execute(tx)
  return Object.fromEntries(
    rows.map(({ name, n }) => [
      name,
      n > maxCount ? { count: maxCount, relation: 'gte' as const } : { count: n, relation: 'eq' as const },
    ]),
  )
}

async function listTablesWithDeletedAt(tx: TenantTx, tables: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${tables}::text[]) as name
    join pg_attribute on attrelid = name::regclass and attname = 'deleted_at' and not attisdropped
  `.execute(tx)
  return new Set(rows.map(({ name }) => name))
}

export async function readDatabaseStats(tx: TenantTx): Promise<{ size_bytes: number; cache_hit_rate: number | null }> {
  const { rows } = await sql<{ size_bytes: number; cache_hit_rate: number | null }>`
    select pg_database_size(datid) as size_bytes,
      round(blks_hit / nullif(blks_hit + blks_read, 0)::numeric, 4)::float8 as cache_hit_rate
    from pg_stat_database where datname = current_database()
  `.execute(tx)
  return rows[0]!
}
