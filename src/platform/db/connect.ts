import type pg from 'pg'
import { createSemaphore, type Semaphore } from '#platform/concurrency'
import { closePool, createSnapshotPool, createTransactionPool } from './driver/index.ts'

declare const brand: unique symbol

/** Identity of one application in this process. All its handles share it, and their transactions carry it. */
type AppInstance = { readonly [brand]: true }

export const instanceKey = Symbol('instance')
export type InstanceMember = { readonly [instanceKey]: AppInstance }

const createAppInstance = (): AppInstance => Object.freeze({}) as AppInstance

/** Defines state of an application that is found through its handles and transactions, so that one process can run several. */
export function createInstanceState<T>(name: string) {
  const values = new WeakMap<AppInstance, T>()
  return {
    attach: (member: InstanceMember, value: T): void => void values.set(member[instanceKey], value),
    find: (member: InstanceMember): T | undefined => values.get(member[instanceKey]),
    get(member: InstanceMember): T {
      const value = values.get(member[instanceKey])
      if (value === undefined) throw new Error(`This database handle belongs to an application without a ${name}.`)
      return value
    },
  }
}

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
  const openSnapshotPool = () => snapshotPools.get(handle.pool) ?? addSnapshotPool(url, handle.pool, options.onError)
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

export async function disconnect({ pool }: Db | SystemDb): Promise<void> {
  const snapshots = snapshotPools.get(pool)
  await Promise.all([closePool(pool), snapshots && closePool(snapshots)])
}

/** Transactions that wait for a connection, without those that wait for the share of their tenant. */
export const countWaitingForPool = ({ pool }: Db | SystemDb): number => pool.waitingCount

export const poolUsage = (db: Db | SystemDb) => ({
  in_use: db.pool.totalCount - db.pool.idleCount,
  idle: db.pool.idleCount,
  waiting: db.pool.waitingCount + (('limitTenants' in db && db.limitTenants?.countWaiting()) || 0),
  max: db.pool.options.max,
})

function open(url: string, { max, waitMs = 2_000, onError, sameInstanceAs }: Options & { max: number }) {
  const pool = createTransactionPool(url, { max, waitMs, onError })
  return { pool, [instanceKey]: sameInstanceAs?.[instanceKey] ?? createAppInstance() }
}

/** Pools of the transactions that read one snapshot, by the pool of the same application; most processes never need one. */
const snapshotPools = new WeakMap<pg.Pool, pg.Pool>()
const maxSnapshots = 2

function addSnapshotPool(url: string, pool: pg.Pool, onError: Options['onError']): pg.Pool {
  const snapshots = createSnapshotPool(url, { max: maxSnapshots, waitMs: 10_000, onError })
  snapshotPools.set(pool, snapshots)
  return snapshots
}
