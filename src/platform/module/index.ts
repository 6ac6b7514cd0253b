export { type Module, type Registry, registryOf, type Services } from './module.ts'
export type { Erasure, Forgotten, IntegrityCheck, ProfilePart, SampleData, SettingsSection } from './registries.ts'
export { globalTables, platformTables, type TableRules, type Tables } from './tables.ts'
