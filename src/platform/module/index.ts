export { type Module, type Registry, registryOf, type Services } from './module.ts'
export type {
  BulkAction,
  Erasure,
  FactSubject,
  ForecastFigures,
  ForecastSource,
  Forgotten,
  IntegrityCheck,
  ProfilePart,
  RuleFact,
  SampleData,
  SettingsSection,
} from './registries.ts'
export { globalTables, platformTables, type TableRules, type Tables } from './tables.ts'
