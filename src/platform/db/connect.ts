import type pg from 'pg'
import { createSemaphore, type Semaphore } from '#platform/concurrency'
import { createAppInstance, type InstanceMember, instanceKey } from './attachment.ts'
import { closePool, createSnapshotPool, createTransactionPool } from './driver/index.ts'

declare const role: unique symbol

/** Connection pool, branded with its role. Statements run only in transactions: see `inTenant`, `inSystem`, `outsideTenant`. */
type Handle<Role> = InstanceMember & { readonly pool: pg.Pool; readonly [role]: Role }
export type Db = Handle<'app'> & { openSnapshotPool(): pg.Pool; limitSnapshots: Semaphore }
export type SystemDb = Handle<'app_system'>

type Options = {
  max?: number
  waitMs?: number
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
  return { ...handle, openSnapshotPool, limitSnapshots }
}

/** Connects for work across tenants. Its role sees several tenants, so requests must never get this handle. */
export const connectSystem = (url: string, options: Options = {}) => open(url, { max: 4, ...options }) as SystemDb

export async function disconnect({ pool }: Db | SystemDb): Promise<void> {
  const snapshots = snapshotPools.get(pool)
  await Promise.all([closePool(pool), snapshots && closePool(snapshots)])
}

export const poolUsage = ({ pool }: Db | SystemDb) => ({
  in_use: pool.totalCount - pool.idleCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
  max: pool.options.max,
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
