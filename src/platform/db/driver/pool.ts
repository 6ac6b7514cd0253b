import { once } from 'node:events'
import pg from 'pg'
import { connectionMonitoring } from './monitored-client.ts'
import { columnTypes } from './prepared-statements.ts'
import { controlStatements, prepareControlStatements, snapshotStatements } from './transaction-preamble.ts'

type PoolOptions = {
  max: number
  waitMs: number
  onError?: (error: Error) => void
}

/** Creates a pool for `runTransaction`. */
export const createTransactionPool = (url: string, options: PoolOptions): pg.Pool =>
  createPool(url, controlStatements, options)

/** Creates a pool for `runSnapshot`. */
export const createSnapshotPool = (url: string, options: PoolOptions): pg.Pool =>
  createPool(url, snapshotStatements, options)

/** Established connections per pool; `pool.totalCount` also counts connections that failed to open. */
const openConnections = new WeakMap<pg.Pool, Set<pg.PoolClient>>()

function createPool(
  connectionString: string,
  statements: Record<string, string>,
  { max, waitMs, onError = () => {} }: PoolOptions,
): pg.Pool {
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

export async function closePool(pool: pg.Pool): Promise<void> {
  await pool.end()
  while (openConnections.get(pool)!.size) await once(pool, 'remove')
}
