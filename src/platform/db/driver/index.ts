export { connectionMonitoring, createMonitoredClient } from './monitored-client.ts'
export { closePool, createSnapshotPool, createTransactionPool } from './pool.ts'
export { type OpenTransaction, runSnapshot, runTransaction, type SlowStatement } from './transaction.ts'
export {
  preamblesForSnapshot,
  preamblesForTenant,
  preamblesWithoutTenant,
  type StatementLimits,
} from './transaction-preamble.ts'
