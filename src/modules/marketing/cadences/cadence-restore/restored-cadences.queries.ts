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
