import type { SettingsSection } from '#platform/module'
import { findRuleProblems } from './plg-settings.rules.ts'
import { PlgSettings } from './plg-settings.schemas.ts'

export const plgSettings = {
  name: 'plg',
  schema: PlgSettings,
  problemsIn: async (_tx, settings) => findRuleProblems(settings as PlgSettings),
} as const satisfies SettingsSection
