import { activeUsersAmong, readSections, replaceSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { CrmSettings } from './crm-settings.schemas.ts'
import { crmSettings } from './crm-settings.ts'

/** Takes those off the list of who is given leads who can no longer take any. */
export async function dropInactiveOwners(tx: TenantTx): Promise<void> {
  const { settings, version } = (await readSections(tx, [crmSettings])).get(crmSettings.name)!
  const { assignment } = settings as CrmSettings
  const active = await activeUsersAmong(tx, assignment.owner_ids)
  const owner_ids = assignment.owner_ids.filter((id) => active.has(id))
  if (owner_ids.length === assignment.owner_ids.length) return
  // Should somebody change the settings meanwhile, this is refused and tried again.
  await replaceSection(tx, crmSettings, { ...settings, assignment: { ...assignment, owner_ids } }, version)
}
