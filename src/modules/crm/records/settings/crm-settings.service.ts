import { replaceSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { getCrmSettings } from './crm-settings.queries.ts'
import type { CrmSettings } from './crm-settings.schemas.ts'
import { crmSettings } from './crm-settings.ts'

type CrmSettingsReplacement = { settings: CrmSettings; expectedVersion?: number }

export async function replaceCrmSettings(tx: TenantTx, { settings, expectedVersion }: CrmSettingsReplacement) {
  await replaceSection(tx, crmSettings, settings, expectedVersion)
  return await getCrmSettings(tx)
}
