import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrateDatabase } from '../migrate.ts'
import { counters } from './counters.ts'

/** Servers that are kept between runs have one template per version of the migrations. */
const template = () => process.env.TEST_POSTGRES_TEMPLATE ?? 'test_template'

/** Names the databases of this process, so that their load can be attributed to it. */
export const databasePrefix = (): string => `test_${process.pid}_`

/** Creates a database from the migrated template. */
export async function createTestDatabase(server = process.env.TEST_POSTGRES_URL ?? '') {
  const name = `${databasePrefix()}${randomUUID().replaceAll('-', '')}`
  // Copying files takes a quarter of the time of the default, which writes every page to the WAL.
  await query(server, 'postgres', `create database ${name} template ${template()} strategy file_copy`)
  await query(server, 'postgres', raiseTimeouts(name))
  counters.databases++
  let counted = 0
  /** Counts the rows that were inserted since the last call. */
  async function countRows() {
    const inserted = 'select tup_inserted::int as count from pg_stat_database where datname = $1'
    const [row] = await query(server, 'postgres', inserted, [name])
    const count = Number(row?.count ?? counted)
    counters.rows += count - counted
    counted = count
  }
  return {
    name,
    ...databaseUrls(server, name),
    countRows,
    async drop() {
      await countRows()
      await query(server, 'postgres', `drop database if exists ${name} with (force)`)
    },
  }
}

/** Raises the limits of requests, so that a busy machine does not end them. */
const raiseTimeouts = (name: string) => `
  alter role app in database ${name} set statement_timeout = '12s';
  alter role app in database ${name} set lock_timeout = '6s'`

/** Migrates an empty database as the `migrate` command does. */
export async function migrateTemplate(server: string, name = template()): Promise<void> {
  await query(server, 'postgres', `drop database if exists ${name} with (force)`)
  await query(server, 'postgres', `create database ${name}`)
  const { ownerUrl, systemUrl } = databaseUrls(server, name)
  await migrateDatabase({ DATABASE_OWNER_URL: ownerUrl, DATABASE_SYSTEM_URL: systemUrl })
}

export async function createDatabase(server: string, name: string): Promise<void> {
  await query(server, 'postgres', `create database ${name}`).catch((error) => {
    if (error.code !== '42P04') throw error
  })
}

export function databaseUrls(server: string, name: string) {
  return {
    ownerUrl: urlOf(server, name),
    appUrl: urlOf(server, name, 'app'),
    systemUrl: urlOf(server, name, 'app_system'),
  }
}

async function query(server: string, database: string, text: string, values: unknown[] = []) {
  const client = new pg.Client(urlOf(server, database))
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}

function urlOf(server: string, database: string, user?: string): string {
  const url = new URL(server)
  url.pathname = database
  if (user) url.username = user
  return url.href
}

/** Opens a pool of the owner that ignores the end of idle connections: dropping a database or stopping its server
 * can terminate one that is just closing. */
export function openOwnerPool(ownerUrl: string, max = 10): pg.Pool {
  const owner = new pg.Pool({ connectionString: ownerUrl, max })
  owner.on('error', () => {})
  owner.on('connect', (client) => client.on('error', () => {}))
  return owner
}
