import type { SettingsSection } from '#platform/module'
import { findSettingsProblems } from './enrichment-settings.rules.ts'
import { EnrichmentSettings } from './enrichment-settings.schemas.ts'

export const enrichmentSettings = {
  name: 'enrichment',
  schema: EnrichmentSettings,
  // A provider receives data of every record that is enriched.
  isSensitive: true,
  problemsIn: async (_tx, settings) => findSettingsProblems(settings as EnrichmentSettings),
} as const satisfies SettingsSection
