import { sql } from 'kysely'
import {
  acquireAdvisoryLock,
  listTenantsAsRetention,
  listTenantsWithRows,
  type SystemTx,
  type TenantTx,
} from '#platform/db'

export async function listTenantsWithDealDeltas(tx: SystemTx): Promise<string[]> {
  const [days, stages] = await Promise.all([
    listTenantsWithRows(tx, 'crm.deal_deltas'),
    listTenantsWithRows(tx, 'crm.stage_deltas'),
  ])
  return [...new Set([...days, ...stages])]
}

export const listTenantsWithDeals = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'crm.opportunities', sql`deleted_at is null`))

/** Serializes changes of the sums of a workspace. */
export const lockDealSums = (tx: TenantTx): Promise<void> => acquireAdvisoryLock(tx, 'deal_sums')

export async function hasMoreDeals(tx: TenantTx, than: number): Promise<boolean> {
  const { rows } = await sql<{ deals: number }>`
    select count(*)::integer as deals
    from (select from crm.opportunities where deleted_at is null and kind in ('open', 'won') limit ${than + 1}) as deal
  `.execute(tx)
  return rows[0]!.deals > than
}

export async function deleteDealSums(tx: TenantTx): Promise<void> {
  await tx.deleteFrom('crm.deal_sums').execute()
}
