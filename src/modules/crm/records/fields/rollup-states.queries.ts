import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type SummedKind = 'leads' | 'deals'

/** Whether the records themselves are counted, because the workspace is too small for stored sums. */
export const isDirectNow = (kind: SummedKind): RawBuilder<boolean> =>
  sql<boolean>`coalesce((select is_direct from crm.rollup_states where kind = ${sql.lit(kind)}), false)`

export async function isCountedDirectly(tx: TenantTx, kind: SummedKind): Promise<boolean> {
  const state = await tx.selectFrom('crm.rollup_states').select('is_direct').where('kind', '=', kind).executeTakeFirst()
  return state?.is_direct ?? false
}

export async function setCountedDirectly(tx: TenantTx, kind: SummedKind, is_direct: boolean): Promise<void> {
  await tx
    .insertInto('crm.rollup_states')
    .values({ kind, is_direct })
    .onConflict((conflict) => conflict.constraint('rollup_states_pkey').doUpdateSet({ is_direct }))
    .execute()
}

/** Deletes changes that a workspace without stored sums does not need. Returns how many. */
export async function deleteDeltas(
  tx: TenantTx,
  table: 'crm.lead_deltas' | 'crm.deal_deltas',
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where id = any (array(select id from ${sql.table(table)} limit ${limit}))
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Counting is always exact. Stored sums are only valid in the snapshot in which the state says so, so `read` returns the state too. */
export async function readSums<Row extends { is_direct: boolean }>(
  tx: TenantTx,
  kind: SummedKind,
  read: (isDirect: boolean) => Promise<Row>,
): Promise<Row> {
  if (!(await isCountedDirectly(tx, kind))) {
    const row = await read(false)
    if (!row.is_direct) return row
  }
  return await read(true)
}
