import { once } from 'node:events'
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

/** The connections of a pool that are really there: a pool also counts those it could not open. */
const openIn = new WeakMap<pg.Pool, Set<pg.PoolClient>>()

/** Resolves when the last connection is really closed. */
export async function disconnect({ pool }: Db | SystemDb): Promise<void> {
  await pool.end()
  while (openIn.get(pool)!.size) await once(pool, 'remove')
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
  const opened = new Set<pg.PoolClient>()
  openIn.set(pool, opened)
  pool.on('connect', (client) => opened.add(client.on('error', () => {})))
  pool.on('remove', (client) => opened.delete(client as pg.PoolClient))
  return { pool }
}
