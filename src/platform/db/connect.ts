import { once } from 'node:events'
import pg from 'pg'
import { createSemaphore, type Semaphore } from '#platform/concurrency'
import { createAppInstance, type InstanceMember, instanceKey } from './attachment.ts'
import { columnTypes } from './driver/row-decoder.ts'
import { limitToStatementTimeout } from './driver/silent-server.ts'
import { controlStatements, prepareControlStatements, snapshotStatements } from './driver/transaction-preamble.ts'

declare const role: unique symbol

/** Connection pool, branded with its role. Statements run only in transactions: see `inTenant`, `inSystem`, `outsideTenant`. */
type Handle<Role> = InstanceMember & { readonly pool: pg.Pool; readonly [role]: Role }
export type Db = Handle<'app'> & {
  openSnapshotPool(): pg.Pool
  limitSnapshots: Semaphore
  /** Limits the transactions of each tenant, if tenants share the pool without another limit. */
  limitTenants: Semaphore | undefined
}
export type SystemDb = Handle<'app_system'>

type Options = {
  max?: number
  waitMs?: number
  /** Connections that one tenant can hold; without it, all. */
  maxPerTenant?: number
  /** Transactions of tenants that may wait; the tenant with the most of them loses the last one. */
  maxWaiting?: number
  onError?: (error: Error) => void
  /** Another handle of the same application; without it the handle belongs to a new application. */
  sameInstanceAs?: InstanceMember
}

export function connect(url: string, options: Options = {}): Db {
  const handle = open(url, { max: 8, ...options }) as Handle<'app'>
  const openSnapshotPool = () => snapshotPools.get(handle.pool) ?? createSnapshotPool(url, handle.pool, options.onError)
  const limitSnapshots = createSemaphore({
    concurrency: maxSnapshots,
    maxPerKey: 1,
    maxQueued: Number.POSITIVE_INFINITY,
  })
  return { ...handle, openSnapshotPool, limitSnapshots, limitTenants: limitTenantsOf(handle.pool, options) }
}

/** One connection stays free for transactions without a tenant, such as those that look up credentials. */
function limitTenantsOf(pool: pg.Pool, { maxPerTenant, maxWaiting = 200, waitMs }: Options): Semaphore | undefined {
  if (!maxPerTenant) return
  const concurrency = Math.max(1, pool.options.max - 1)
  return createSemaphore({ concurrency, maxPerKey: maxPerTenant, maxQueued: maxWaiting, maxWaitMs: waitMs })
}

/** Connects for work across tenants. Its role sees several tenants, so requests must never get this handle. */
export const connectSystem = (url: string, options: Options = {}) => open(url, { max: 4, ...options }) as SystemDb

export const connectionMonitoring = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  onConnect: limitToStatementTimeout,
}

/** Established connections per pool; `pool.totalCount` also counts connections that failed to open. */
const openConnections = new WeakMap<pg.Pool, Set<pg.PoolClient>>()

export async function disconnect({ pool }: Db | SystemDb): Promise<void> {
  const snapshots = snapshotPools.get(pool)
  await Promise.all([closePool(pool), snapshots && closePool(snapshots)])
}

async function closePool(pool: pg.Pool): Promise<void> {
  await pool.end()
  while (openConnections.get(pool)!.size) await once(pool, 'remove')
}

export const poolUsage = (db: Db | SystemDb) => ({
  in_use: db.pool.totalCount - db.pool.idleCount,
  idle: db.pool.idleCount,
  waiting: db.pool.waitingCount + (('limitTenants' in db && db.limitTenants?.countWaiting()) || 0),
  max: db.pool.options.max,
})

function open(url: string, { max, waitMs = 2_000, onError, sameInstanceAs }: Options & { max: number }) {
  const pool = createPool(url, { max, onError, statements: controlStatements, waitMs })
  return { pool, [instanceKey]: sameInstanceAs?.[instanceKey] ?? createAppInstance() }
}

/** Pools of the transactions that read one snapshot, by the pool of the same application; most processes never need one. */
const snapshotPools = new WeakMap<pg.Pool, pg.Pool>()
const maxSnapshots = 2

function createSnapshotPool(url: string, pool: pg.Pool, onError: Options['onError']): pg.Pool {
  const snapshots = createPool(url, { max: maxSnapshots, onError, statements: snapshotStatements, waitMs: 10_000 })
  snapshotPools.set(pool, snapshots)
  return snapshots
}

type PoolOptions = {
  max: number
  onError: Options['onError']
  statements: Record<string, string>
  waitMs: number
}

function createPool(connectionString: string, { max, onError = () => {}, statements, waitMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    pipeline: true,
    ...connectionMonitoring,
    connectionTimeoutMillis: waitMs,
    types: columnTypes,
    async onConnect(client) {
      await connectionMonitoring.onConnect(client)
      await prepareControlStatements(client, statements)
    },
  })
  // Without 'error' listeners a broken connection ends the process; the pool itself listens only to idle clients.
  pool.on('error', onError)
  const opened = new Set<pg.PoolClient>()
  openConnections.set(pool, opened)
  pool.on('connect', (client) => opened.add(client.on('error', () => {})))
  pool.on('remove', (client) => opened.delete(client as pg.PoolClient))
  return pool
}
