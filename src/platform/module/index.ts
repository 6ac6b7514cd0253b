export { definePresenter, type EventPresenter } from './event-presenter.ts'
export { listExportColumns, listSealedColumns } from './export-columns.queries.ts'
export {
  allowDeclaredSecrets,
  buildRegistry,
  defineExtensionPoint,
  type Extension,
  type ExtensionPoint,
  type ExtensionReader,
  extend,
  listSecretColumns,
  type Module,
  type RegisteredRoute,
  type Registry,
  type SecretColumn,
  type Services,
} from './module.ts'
export { type ReencryptionResult, reencryptSecrets } from './reencrypt-secrets.ts'
export {
  defineRecordCheck,
  type ErasedPerson,
  type Erasure,
  type ErasureBatch,
  type ErasureSubject,
  type FactScope,
  type IntegrityCheck,
  type IntegrityRun,
  type MergeReference,
  type NestedRule,
  type RecordReference,
  type RuleFact,
  type RuleProblem,
  type RuleSubject,
  type SettingsSecret,
  type SettingsSection,
} from './registries.ts'
export { definePersonErasure, type ErasurePosition, runErasures } from './run-erasures.ts'
export {
  createRandom,
  findSampleId,
  type Random,
  type SampleData,
  type SampleRecord,
  type SampleStep,
  sampleLoader,
} from './sample-data.ts'
export {
  hasSealedChangesSince,
  listSealedConditions,
  listSealedFileIds,
  type RowCondition,
} from './sealed-rows.queries.ts'
export { countSecretsByKey } from './secret-values.queries.ts'
export { businessData, globalTables, platformTables, type SealedRows, type TableRules, type Tables } from './tables.ts'
