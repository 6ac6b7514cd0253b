import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url))
const ledger = { schema: 'public', table: 'migrations' }

/** Brings the schema up to date in one transaction, one process at a time, and gives the roles their passwords. */
export async function migrate(ownerUrl: string, roleUrls: string[] = []): Promise<string[]> {
  const applied = await run(ownerUrl)
  await withClient(ownerUrl, async (client) => {
    for (const url of roleUrls) await givePassword(client, new URL(url))
    await client.query('select platform.ensure_partitions()')
    await client.query(`grant select on ${ledger.schema}.${ledger.table} to app, app_system`)
  })
  return applied
}

/** What `migrate` would apply. Any role of ours may ask; a process that finds something refuses to serve. */
export async function pendingMigrations(url: string): Promise<string[]> {
  const known = globSync('*.sql', { cwd: folder }).map((file) => file.replace('.sql', ''))
  const applied = new Set<string>()
  await withClient(url, async (client) => {
    const { rows } = await client.query(`select to_regclass('${ledger.schema}.${ledger.table}') is not null as exists`)
    if (!rows[0].exists) return
    const ledgerRows = await client.query(`select name from ${ledger.schema}.${ledger.table}`)
    for (const { name } of ledgerRows.rows) applied.add(name)
  })
  return known.filter((name) => !applied.has(name)).sort()
}

async function run(databaseUrl: string): Promise<string[]> {
  const applied = await runner({
    databaseUrl,
    dir: folder,
    direction: 'up',
    migrationsTable: ledger.table,
    migrationsSchema: ledger.schema,
    checkOrder: true,
    singleTransaction: true,
    log: () => {},
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  return applied.map(({ name }) => name)
}

/** The addresses the processes use already hold the passwords: one place to change them. */
async function givePassword(client: pg.Client, { username, password }: URL): Promise<void> {
  if (!password || !['app', 'app_system'].includes(username)) return
  const secret = pg.escapeLiteral(decodeURIComponent(password))
  await client.query(`alter role ${pg.escapeIdentifier(username)} password ${secret}`)
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
