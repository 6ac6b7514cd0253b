export {
  connect,
  connectSystem,
  countWaitingForPool,
  createInstanceState,
  type Db,
  disconnect,
  type InstanceMember,
  poolUsage,
  type SystemDb,
} from './connect.ts'
export type { DB as Database } from './database.ts'
export {
  isDatabaseTimeout,
  isDatabaseUnavailable,
  isTransactionConflict,
  retryOnContention,
  violatedConstraint,
} from './database-errors.ts'
export { connectionMonitoring, type SlowStatement } from './driver/index.ts'
export {
  allOf,
  type Condition,
  cursorAfter,
  hasFilter,
  type IndexScan,
  type PagePlan,
  readPage,
  readPosition,
  type SortedList,
} from './keyset/keyset-page.ts'
export { type SortOrder, type SortOrders, sortOrderOf } from './keyset/sort-order.ts'
export { type Listener, listen } from './listen.ts'
export { compareMigrations, migrate } from './migrate.ts'
export {
  countLimit,
  decodeCursor,
  directionOf,
  encodeCursor,
  type ListDirection,
  orderingOf,
  type Page,
  toPage,
  toTotal,
  totalOf,
} from './page.ts'
export { createPartitions, createPartitionsBetween, dropPartitions, listTablesByTime } from './partitions/partitions.ts'
export { assumeRetentionRole, repeatUntilEmpty } from './retention.ts'
export { deleteUnlessReferenced, withRolledBackSavepoint, withSavepoint } from './savepoint.ts'
export { containsAnyText, maxRanked, searchRank, toLikePatterns, toSearchText, toSearchWords } from './search.ts'
export { streamRows } from './snapshots/stream-rows.ts'
export { assertSafeRole } from './startup/role-check.ts'
export { assertConnectable, assertDatabaseUrl, assertOwnerMayMigrate } from './startup/startup-checks.ts'
export { acquireAdvisoryLock, acquireAdvisoryLocks, compileOnce, selectRows } from './statements.ts'
export {
  actorOf,
  afterCommit,
  enterTenant,
  inSnapshot,
  inSystem,
  inTenant,
  limitStatementTime,
  type OutsideTx,
  onSlowStatement,
  outsideTenant,
  planForValues,
  raiseStatementTimeout,
  raiseWorkMem,
  type SnapshotTx,
  type SystemTx,
  type TenantTx,
  tenantIdOf,
} from './tenant-tx.ts'
export {
  type ComparedPeriod,
  isAnyOf,
  isInPeriod,
  isInPreviousPeriod,
  listTenantsAsRetention,
  listTenantsWithRows,
} from './tenants-with-rows.ts'
export { getSubtreeHeight, listSelfAndAncestorIds, lockTree, type Tree } from './tree.ts'
