import type { TenantTx } from '#platform/db'
import { getTenant } from './tenants.queries.ts'
import type { TenantLimits } from './tenants.rules.ts'

/** Usage events that the workspace may send per month; null if the operator has set no limit. */
export async function readEventLimit(tx: TenantTx): Promise<number | null> {
  const { limits } = await getTenant(tx)
  return (limits as TenantLimits).monthly_event_limit ?? null
}
