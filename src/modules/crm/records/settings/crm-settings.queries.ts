import { readSection, readSections } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { CrmSettings } from './crm-settings.schemas.ts'
import { crmSettings } from './crm-settings.ts'

export const readCrmSettings = (tx: TenantTx): Promise<CrmSettings> => readSection(tx, crmSettings)

export async function getCrmSettings(tx: TenantTx): Promise<CrmSettings & { version: number }> {
  const { settings, version } = (await readSections(tx, [crmSettings])).get(crmSettings.name)!
  return { ...(settings as CrmSettings), version }
}
