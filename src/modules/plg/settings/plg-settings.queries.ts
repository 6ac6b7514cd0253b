import { readSection, readSections } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { PlgSettings } from './plg-settings.schemas.ts'
import { plgSettings } from './plg-settings.ts'

export const readPlgSettings = (tx: TenantTx): Promise<PlgSettings> => readSection(tx, plgSettings)

export async function getPlgSettings(tx: TenantTx): Promise<PlgSettings & { version: number }> {
  const { settings, version } = (await readSections(tx, [plgSettings])).get(plgSettings.name)!
  return { ...(settings as PlgSettings), version }
}
