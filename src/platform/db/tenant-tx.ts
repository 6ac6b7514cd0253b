import { sql, type Transaction } from 'kysely'
import type { Actor } from '#platform/access'
import { createInstanceState, type Db, type InstanceMember, instanceKey, type SystemDb } from './connect.ts'
import type { DB as Database } from './database.ts'
import {
  type OpenTransaction,
  preamblesForSnapshot,
  preamblesForTenant,
  preamblesWithoutTenant,
  runSnapshot,
  runTransaction,
  type SlowStatement,
  type StatementLimits,
} from './driver/index.ts'

type Statements = Pick<
  Transaction<Database>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'with' | 'fn' | 'getExecutor' | 'executeQuery'
>
const tenant = Symbol('tenant')
const system = Symbol('system')
const outside = Symbol('outside')
const snapshot = Symbol('snapshot')
const commitHooks = Symbol('commitHooks')
const roundTripLimit = Symbol('roundTripLimit')

type AnyTx = Statements &
  InstanceMember & {
    readonly [commitHooks]: OpenTransaction['afterCommit']
    readonly [roundTripLimit]: OpenTransaction['setRoundTripLimit']
  }

export type TenantTx = AnyTx & { readonly [tenant]: Actor }

/** Transaction across tenants, with the tables granted to the system role. Module queries do not accept it. */
export type SystemTx = AnyTx & { readonly [system]: true }

/** Transaction of the application role without a tenant, for example at sign-in; sees only tables without a tenant. */
export type OutsideTx = AnyTx & { readonly [outside]: true }

/** Transaction of a tenant that only reads, and reads one state of the database in all its statements. */
export type SnapshotTx = TenantTx & { readonly [snapshot]: true }

type ReportSlowStatement = (actor: Actor, statement: SlowStatement) => void

const slowStatementListeners = createInstanceState<{ minMs: number; report: ReportSlowStatement }>(
  'listener for slow statements',
)

/** Calls `report` for every statement of a tenant that takes longer than `minMs`. */
export const onSlowStatement = (member: InstanceMember, minMs: number, report: ReportSlowStatement): void =>
  slowStatementListeners.attach(member, { minMs, report })

export function inTenant<T>(
  db: Db,
  actor: Actor,
  work: (tx: TenantTx) => Promise<T>,
  limits: StatementLimits = 'request',
): Promise<T> {
  const listener = slowStatementListeners.find(db)
  const run = () =>
    runTransaction(
      db.pool,
      preamblesForTenant(actor.tenantId, limits),
      (transaction) => work(withBrand(db, transaction, { [tenant]: actor })),
      listener && { minMs: listener.minMs, report: (statement) => listener.report(actor, statement) },
    )
  return db.limitTenants ? db.limitTenants(actor.tenantId, run) : run()
}

/**
 * Reads for exports: statements may take 10 minutes, and at most two snapshots of a process, one of a tenant, run at a time, on
 * connections of their own. Others wait until `signal` is aborted. `work` runs once; an abort ends the transaction at once.
 */
export function inSnapshot<T>(
  db: Db,
  actor: Actor,
  work: (tx: SnapshotTx) => Promise<T>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T> {
  const run = (transaction: OpenTransaction) =>
    work(withBrand(db, transaction, { [tenant]: actor, [snapshot]: true as const }))
  const preambles = preamblesForSnapshot(actor.tenantId)
  return db.limitSnapshots(actor.tenantId, () => runSnapshot(db.openSnapshotPool(), preambles, run, signal), { signal })
}

export function inSystem<T>(db: SystemDb, work: (tx: SystemTx) => Promise<T>): Promise<T> {
  return runTransaction(db.pool, preamblesWithoutTenant, (transaction) =>
    work(withBrand(db, transaction, { [system]: true as const })),
  )
}

export function outsideTenant<T>(db: Db, work: (tx: OutsideTx) => Promise<T>): Promise<T> {
  return runTransaction(db.pool, preamblesWithoutTenant, (transaction) =>
    work(withBrand(db, transaction, { [outside]: true as const })),
  )
}

/** Binds the transaction to one tenant for the rest of its life. */
export async function enterTenant(tx: SystemTx | OutsideTx, actor: Actor): Promise<TenantTx> {
  if (tenant in tx) throw new Error('This transaction has already entered a tenant.')
  await sql`select set_config('app.tenant_id', ${actor.tenantId}, true)`.execute(tx)
  return Object.assign(tx, { [tenant]: actor })
}

export const actorOf = (tx: TenantTx): Actor => tx[tenant]

export const tenantIdOf = (tx: TenantTx): string => tx[tenant].tenantId

/** Registers a callback for after the commit. It must not throw and is not awaited. */
export function afterCommit(tx: TenantTx | SystemTx | OutsideTx, callback: () => void): void {
  tx[commitHooks].push(callback)
}

export const raiseStatementTimeout = (tx: TenantTx | SystemTx, seconds: number): Promise<void> =>
  setStatementTimeout(tx, seconds)

/** Ends the following statements of the transaction earlier than those of other requests. */
export const limitStatementTime = (tx: TenantTx, seconds: number): Promise<void> => setStatementTimeout(tx, seconds)

async function setStatementTimeout(tx: TenantTx | SystemTx, seconds: number): Promise<void> {
  tx[roundTripLimit](seconds * 1_000)
  await sql`select set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(tx)
}

/** Sorts and hashes of the following statements of the transaction use this much memory each before they write to disk. */
export async function raiseWorkMem(tx: TenantTx, megabytes: number): Promise<void> {
  await sql`select set_config('work_mem', ${`${megabytes}MB`}, true)`.execute(tx)
}

/**
 * Plans the following statements of the transaction for their values, each time they run, and as if most pages were in memory. For
 * statements that read many rows and whose best plan depends on the values; others share one plan per connection.
 */
export async function planForValues(tx: TenantTx): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('random_page_cost', '1.1', true)`.execute(
    tx,
  )
}

const withBrand = <B extends object>(db: Db | SystemDb, transaction: OpenTransaction, brand: B) =>
  Object.assign(transaction.tx, brand, {
    [instanceKey]: db[instanceKey],
    [commitHooks]: transaction.afterCommit,
    [roundTripLimit]: transaction.setRoundTripLimit,
  })
