import { sql } from 'kysely'
import { holdTurn, type TenantTx } from '#platform/db'

/** Two moves that are harmless alone could close a circle together, so changes of the tree wait for each other. Ahead of any account. */
export async function lockAccountTree(tx: TenantTx): Promise<void> {
  await holdTurn(tx, 'account_tree')
}

/** The account and everything above it, the nearest first. Deleted ones count: they may be brought back. */
export async function accountsAbove(tx: TenantTx, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line (id, parent_account_id, step) as (
      select id, parent_account_id, 1 from crm.accounts where id = ${accountId}
      union all
      select parent.id, parent.parent_account_id, line.step + 1
      from line join crm.accounts parent on parent.id = line.parent_account_id
      where line.step < 10
    )
    select id from line order by step
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** How many levels the account takes with everything below it: one if there is nothing. */
export async function levelsFrom(tx: TenantTx, accountId: string): Promise<number> {
  const { rows } = await sql<{ levels: number }>`
    with recursive tree (id, level) as (
      select id, 1 from crm.accounts where id = ${accountId}
      union all
      select child.id, tree.level + 1
      from tree join crm.accounts child on child.parent_account_id = tree.id
      where tree.level < 10
    )
    select max(level) as levels from tree
  `.execute(tx)
  return rows[0]?.levels ?? 1
}
