import { activeUsersAmong } from '#modules/identity'
import type { SettingsSection } from '#platform/module'
import { problemsInCrmSettings } from './crm-settings.rules.ts'
import { CrmSettings } from './crm-settings.schemas.ts'

/** What this module adds to the settings document. */
export const crmSettings = {
  name: 'crm',
  schema: CrmSettings,
  async problemsIn(tx, settings) {
    const { assignment } = settings as CrmSettings
    return problemsInCrmSettings(settings as CrmSettings, await activeUsersAmong(tx, assignment.owner_ids))
  },
} as const satisfies SettingsSection
