import { filterActiveUserIds, readSections, replaceSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { CrmSettings } from './crm-settings.schemas.ts'
import { crmSettings } from './crm-settings.ts'

export async function removeInactiveOwners(tx: TenantTx): Promise<void> {
  const { settings, version } = (await readSections(tx, [crmSettings])).get(crmSettings.name)!
  const { assignment } = settings as CrmSettings
  const active = await filterActiveUserIds(tx, assignment.owner_ids)
  const owner_ids = assignment.owner_ids.filter((id) => active.has(id))
  if (owner_ids.length === assignment.owner_ids.length) return
  // Fails with a version mismatch if the settings change at the same time; the subscription is then retried.
  await replaceSection(tx, crmSettings, { ...settings, assignment: { ...assignment, owner_ids } }, version)
}
