import { filterActiveUserIds } from '#modules/identity'
import type { SettingsSection } from '#platform/module'
import { validateCrmSettings } from './crm-settings.rules.ts'
import { CrmSettings } from './crm-settings.schemas.ts'

export const crmSettings = {
  name: 'crm',
  schema: CrmSettings,
  async problemsIn(tx, settings) {
    const { assignment } = settings as CrmSettings
    return validateCrmSettings(settings as CrmSettings, await filterActiveUserIds(tx, assignment.owner_ids))
  },
} as const satisfies SettingsSection
