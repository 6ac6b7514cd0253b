import { readSection, readSections, readSettings } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { CrmSettings } from './crm-settings.schemas.ts'
import { crmSettings } from './crm-settings.ts'

export const readCrmSettings = (tx: TenantTx): Promise<CrmSettings> => readSection(tx, crmSettings)

/** For people, who change it: with its version. */
export async function showCrmSettings(tx: TenantTx): Promise<CrmSettings & { version: number }> {
  const { settings, version } = (await readSections(tx, [crmSettings])).get(crmSettings.name)!
  return { ...(settings as CrmSettings), version }
}

/** The currency every sum is reckoned in. */
export const baseCurrencyOf = async (tx: TenantTx): Promise<string> => (await readSettings(tx, 'general')).currency

/** Where the days of the workspace begin. */
export const timezoneOf = async (tx: TenantTx): Promise<string> => (await readSettings(tx, 'general')).timezone
