import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type CadenceRow, cadenceColumns } from '../cadence-records/cadences.queries.ts'

export async function lockStartedCadences(tx: TenantTx): Promise<CadenceRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadences')
    .select(cadenceColumns)
    .where('status', 'in', ['active', 'paused'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows as unknown as CadenceRow[]
}

export async function pauseRestoredRows(tx: TenantTx, ids: readonly string[]): Promise<Map<string, CadenceRow>> {
  const rows = await tx
    .updateTable('marketing.cadences')
    .set({ status: 'paused', paused_reason: 'restored' })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(cadenceColumns)
    .execute()
  return new Map(rows.map((row) => [row.id, row as unknown as CadenceRow]))
}
