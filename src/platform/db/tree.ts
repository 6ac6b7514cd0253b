import { sql } from 'kysely'
import { acquireAdvisoryLock } from './statements.ts'
import type { TenantTx } from './tenant-tx.ts'

export type Tree = { table: string; parent: string }

/** Exceeds the depth of every valid tree; ends the recursion if the data contains a cycle. */
const maxDepth = 10

/** Serializes tree changes: two concurrent moves could create a cycle. Acquire it before any row lock. */
export async function lockTree(tx: TenantTx, { table }: Tree): Promise<void> {
  await acquireAdvisoryLock(tx, `tree:${table}`)
}

/** Lists the record and its ancestors, nearest first; empty if the record does not exist. */
export async function listSelfAndAncestorIds(tx: TenantTx, { table, parent }: Tree, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line (id, parent, step) as (
      select id, ${sql.ref(parent)}, 1 from ${sql.table(table)} where id = ${id}
      union all
      select above.id, above.${sql.ref(parent)}, line.step + 1
      from line join ${sql.table(table)} above on above.id = line.parent
      where line.step < ${sql.lit(maxDepth)}
    )
    select id from line order by step
  `.execute(tx)
  return rows.map((row) => row.id)
}

export async function getSubtreeHeight(tx: TenantTx, { table, parent }: Tree, id: string): Promise<number> {
  const { rows } = await sql<{ levels: number }>`
    with recursive tree (id, level) as (
      select id, 1 from ${sql.table(table)} where id = ${id}
      union all
      select below.id, tree.level + 1
      from tree join ${sql.table(table)} below on below.${sql.ref(parent)} = tree.id
      where tree.level < ${sql.lit(maxDepth)}
    )
    select max(level) as levels from tree
  `.execute(tx)
  return rows[0]?.levels ?? 1
}
