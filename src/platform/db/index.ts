export { retryWhileBusy } from './busy.ts'
export { connect, connectSystem, type Db, disconnect, poolUsage, type SystemDb } from './connect.ts'
export type { DB as Database } from './database.ts'
export { isDatabaseAway, ranOutOfTime, violatedConstraint } from './failures.ts'
export { type Listener, listen } from './listen.ts'
export { migrate, pendingMigrations } from './migrate.ts'
export { afterCursor, type Page, toPage, totalOf } from './page.ts'
export { withinSavepoint } from './savepoint.ts'
export { searchText, searchWords, wordPatterns } from './search.ts'
export { refuseUnsafeRole } from './start-check.ts'
export {
  actorOf,
  afterCommit,
  enterTenant,
  inSystem,
  inTenant,
  type OutsideTx,
  outsideTenant,
  type SystemTx,
  type TenantTx,
  tenantOf,
} from './tenant-tx.ts'
export { levelsFrom, lineAbove, lockTree, type Tree } from './tree.ts'
export { holdTurn } from './turns.ts'
export { actAsRetention, dropPartitions, untilNone } from './upkeep.ts'
