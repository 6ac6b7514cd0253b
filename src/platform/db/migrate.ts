import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url))
const migrationsTable = { schema: 'public', table: 'migrations' }

export async function migrate(ownerUrl: string, roleUrls: string[] = []): Promise<string[]> {
  const applied = await run(ownerUrl)
  await withClient(ownerUrl, async (client) => {
    for (const url of roleUrls) await setRolePassword(client, new URL(url))
    await client.query('select platform.ensure_partitions()')
    await client.query(`grant select on ${migrationsTable.schema}.${migrationsTable.table} to app, app_system`)
  })
  return applied
}

/** Lists the migrations that `migrate` would apply. Needs no owner rights, so that every process can check at startup. */
export async function listPendingMigrations(url: string): Promise<string[]> {
  const known = globSync('*.sql', { cwd: folder }).map((file) => file.replace('.sql', ''))
  const applied = new Set<string>()
  await withClient(url, async (client) => {
    const { rows } = await client.query(
      `select to_regclass('${migrationsTable.schema}.${migrationsTable.table}') is not null as exists`,
    )
    if (!rows[0].exists) return
    const recorded = await client.query(`select name from ${migrationsTable.schema}.${migrationsTable.table}`)
    for (const { name } of recorded.rows) applied.add(name)
  })
  return known.filter((name) => !applied.has(name)).sort()
}

async function run(databaseUrl: string): Promise<string[]> {
  const applied = await runner({
    databaseUrl,
    dir: folder,
    direction: 'up',
    migrationsTable: migrationsTable.table,
    migrationsSchema: migrationsTable.schema,
    checkOrder: true,
    singleTransaction: true,
    log: () => {},
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  return applied.map(({ name }) => name)
}

/** Takes the password from the connection URL that the processes use, so that it is configured in one place. */
async function setRolePassword(client: pg.Client, { username, password }: URL): Promise<void> {
  if (!password || !['app', 'app_system'].includes(username)) return
  const secret = pg.escapeLiteral(decodeURIComponent(password))
  await client.query(`alter role ${pg.escapeIdentifier(username)} password ${secret}`)
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
