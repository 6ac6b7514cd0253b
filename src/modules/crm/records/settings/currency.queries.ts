import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function hasBaseCurrencyAmounts(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ has_amounts: boolean }>`
    select exists (select from crm.opportunities where amount_base_minor is not null)
      or exists (select from crm.lead_source_spend)
      or exists (select from crm.accounts where annual_revenue_base_minor is not null)
      or exists (select from crm.leads where annual_revenue_base_minor is not null)
      or exists (
        select from crm.custom_fields field where field.type = 'money'
          and exists (select from crm.custom_field_index entry where entry.field_id = field.id)) as has_amounts
  `.execute(tx)
  return rows[0]!.has_amounts
}
