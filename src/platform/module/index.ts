export { listExportColumns } from './export-columns.queries.ts'
export { defineExtensionPoint, type Extension, type ExtensionPoint, extend } from './extension-points.ts'
export { buildRegistry, type Module, type RegisteredRoute, type Registry, type Services } from './module.ts'
export type {
  Erasure,
  ErasureSubject,
  IntegrityCheck,
  RuleFact,
  RuleSubject,
  SampleData,
  SettingsSecret,
  SettingsSection,
} from './registries.ts'
export { globalTables, platformTables, type TableRules, type Tables } from './tables.ts'
