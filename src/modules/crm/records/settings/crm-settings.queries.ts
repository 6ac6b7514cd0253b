import { sql } from 'kysely'
import { readSection, readSections } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { CrmSettings } from './crm-settings.schemas.ts'
import { crmSettings } from './crm-settings.ts'

export const readCrmSettings = (tx: TenantTx): Promise<CrmSettings> => readSection(tx, crmSettings)

export async function getCrmSettings(tx: TenantTx): Promise<CrmSettings & { version: number }> {
  const { settings, version } = (await readSections(tx, [crmSettings])).get(crmSettings.name)!
  return { ...(settings as CrmSettings), version }
}

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
