import pg from 'pg'
import { prepareControlStatements } from './control.ts'
import { columnTypes } from './rows.ts'

declare const role: unique symbol

/** A pool of connections. Nothing can be asked of it but a transaction: see `inTenant`, `inSystem` and `outsideTenant`. */
type Handle<Role> = { readonly pool: pg.Pool; readonly [role]: Role }
export type Db = Handle<'app'>
export type SystemDb = Handle<'app_system'>

type Options = { max?: number; onTrouble?: (error: Error) => void }

export const connect = (url: string, options: Options = {}) => open(url, { max: 8, ...options }) as Db

/** For work across tenants. Its role sees more than one tenant, so it is never handed to a request. */
export const connectSystem = (url: string, options: Options = {}) => open(url, { max: 4, ...options }) as SystemDb

/** Resolves when the last connection is really closed. */
export async function disconnect({ pool }: Db | SystemDb): Promise<void> {
  const open = pool.totalCount
  const closed = open ? new Promise<void>((resolve) => countDown(pool, open, resolve)) : undefined
  await pool.end()
  await closed
}

export const poolUsage = ({ pool }: Db | SystemDb) => ({
  in_use: pool.totalCount - pool.idleCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
  max: pool.options.max,
})

function open(connectionString: string, { max, onTrouble = () => {} }: Options & { max: number }) {
  const pool = new pg.Pool({
    connectionString,
    max,
    keepAlive: true,
    connectionTimeoutMillis: 2_000,
    types: columnTypes,
    onConnect: prepareControlStatements,
  })
  // A connection that dies is dropped by the pool. Without a listener its death would end the process,
  // also while it is borrowed, when the pool itself does not listen.
  pool.on('error', onTrouble)
  pool.on('connect', (client) => client.on('error', () => {}))
  return { pool }
}

function countDown(pool: pg.Pool, from: number, done: () => void): void {
  let left = from
  pool.on('remove', () => {
    left--
    if (left === 0) setImmediate(done)
  })
}
