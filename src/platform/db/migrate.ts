import { globSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const productMigrations = fileURLToPath(new URL('../../../migrations', import.meta.url))
const migrationsTable = { schema: 'public', table: 'migrations' }
const lockTimeoutMs = 2_000
const maxAttempts = 60

export async function migrate(ownerUrl: string, roleUrls: string[] = []): Promise<string[]> {
  const applied = await applyMigrations(ownerUrl)
  await withClient(ownerUrl, async (client) => {
    for (const url of roleUrls) await setRolePassword(client, new URL(url))
    await client.query('select platform.ensure_partitions()')
    await client.query(`grant select on ${migrationsTable.schema}.${migrationsTable.table} to app, app_system`)
  })
  return applied
}

type MigrationState = { pending: string[]; unknown: string[]; isCompatible: boolean }

/**
 * `unknown` are migrations of a newer version, and `isCompatible` says whether this version can run with them. Needs no owner rights, so
 * that every process can check at startup.
 */
export async function compareMigrations(url: string, folder = productMigrations): Promise<MigrationState> {
  const known = globSync('*.{sql,js}', { cwd: folder }).map((file) => file.replace(/\.\w+$/, ''))
  const [applied, [compatibleSince]] = await withClient(url, async (client) => [
    await listColumn(client, `${migrationsTable.schema}.${migrationsTable.table}`, 'name'),
    await listColumn(client, 'platform.schema_compatibility', 'compatible_since'),
  ])
  return {
    pending: known.filter((name) => !applied.includes(name)).sort(),
    unknown: applied.filter((name) => !known.includes(name)).sort(),
    isCompatible: compatibleSince !== undefined && known.includes(compatibleSince),
  }
}

async function listColumn(client: pg.Client, table: string, column: string): Promise<string[]> {
  const { rows } = await client.query('select to_regclass($1) is not null as exists', [table])
  if (!rows[0].exists) return []
  return (await client.query(`select ${column} as value from ${table}`)).rows.map(({ value }) => value)
}

/**
 * Applies every file in its own transaction. A file that waits for a lock gives up after two seconds and is tried again, because
 * the statements of running processes wait behind it.
 */
export async function applyMigrations(ownerUrl: string, folder = productMigrations): Promise<string[]> {
  const { pending } = await compareMigrations(ownerUrl, folder)
  for (let attempt = 1; ; attempt++) {
    try {
      await runPending(ownerUrl, folder)
      return pending
    } catch (error) {
      if (!isLockTimeout(error) || attempt === maxAttempts) throw await nameMigration(error, ownerUrl, folder)
      await sleep(1_000)
    }
  }
}

const isLockTimeout = (error: unknown) => error instanceof pg.DatabaseError && error.code === '55P03'

async function nameMigration(error: unknown, ownerUrl: string, folder: string): Promise<unknown> {
  const { pending } = await compareMigrations(ownerUrl, folder)
  if (error instanceof pg.DatabaseError && pending[0]) error.message = `${pending[0]}: ${error.message}`
  return error
}

/** Loads the library only here, because the API never migrates. */
async function runPending(ownerUrl: string, folder: string): Promise<void> {
  const { runner } = await import('node-pg-migrate')
  await withClient(ownerUrl, (client) =>
    runner({
      dbClient: limitTransactions(client),
      dir: folder,
      direction: 'up',
      migrationsTable: migrationsTable.table,
      migrationsSchema: migrationsTable.schema,
      checkOrder: true,
      singleTransaction: false,
      log: () => {},
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    }),
  )
}

/**
 * Limits the lock waits of transactions only. CREATE INDEX CONCURRENTLY waits for the transactions of others, which do not wait behind it,
 * and after a timeout it would leave an invalid index and start again.
 */
function limitTransactions(client: pg.Client): pg.Client {
  const begin = `begin; set local lock_timeout = ${lockTimeoutMs}`
  const query = (text: unknown, ...values: unknown[]) =>
    Reflect.apply(client.query, client, [text === 'BEGIN;' ? begin : text, ...values])
  return Object.assign(Object.create(client), { query })
}

/** Takes the password from the connection URL that the processes use, so that it is configured in one place. */
async function setRolePassword(client: pg.Client, { username, password }: URL): Promise<void> {
  if (!password || !['app', 'app_system'].includes(username)) return
  const secret = pg.escapeLiteral(decodeURIComponent(password))
  await client.query(`alter role ${pg.escapeIdentifier(username)} password ${secret}`)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
