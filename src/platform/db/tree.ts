import { sql } from 'kysely'
import type { TenantTx } from './tenant-tx.ts'
import { holdTurn } from './turns.ts'

/** Records of which each may stand below another one of the same table. */
export type Tree = { table: string; parent: string }

/** Deeper than any tree is let grow: a circle, should there be one, ends here. */
const farEnough = 10

/** Two moves that are harmless alone could close a circle together, so changes of a tree wait for each other. Ahead of any record. */
export async function lockTree(tx: TenantTx, { table }: Tree): Promise<void> {
  await holdTurn(tx, `tree:${table}`)
}

/** The record and everything above it, the nearest first; none if there is no such record. */
export async function lineAbove(tx: TenantTx, { table, parent }: Tree, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line (id, parent, step) as (
      select id, ${sql.ref(parent)}, 1 from ${sql.table(table)} where id = ${id}
      union all
      select above.id, above.${sql.ref(parent)}, line.step + 1
      from line join ${sql.table(table)} above on above.id = line.parent
      where line.step < ${sql.lit(farEnough)}
    )
    select id from line order by step
  `.execute(tx)
  return rows.map((row) => row.id)
}

/** How many levels the record takes with everything below it: one if there is nothing. */
export async function levelsFrom(tx: TenantTx, { table, parent }: Tree, id: string): Promise<number> {
  const { rows } = await sql<{ levels: number }>`
    with recursive tree (id, level) as (
      select id, 1 from ${sql.table(table)} where id = ${id}
      union all
      select below.id, tree.level + 1
      from tree join ${sql.table(table)} below on below.${sql.ref(parent)} = tree.id
      where tree.level < ${sql.lit(farEnough)}
    )
    select max(level) as levels from tree
  `.execute(tx)
  return rows[0]?.levels ?? 1
}
