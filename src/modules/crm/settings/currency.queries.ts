import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Whether any amount of the CRM has been reckoned in the base currency. */
export async function hasAmounts(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from crm.opportunities where amount_base_minor is not null)
      or exists (select from crm.lead_source_spend)
      or exists (select from crm.accounts where annual_revenue_base_minor is not null)
      or exists (select from crm.leads where annual_revenue_base_minor is not null) as found
  `.execute(tx)
  return rows[0]!.found
}
