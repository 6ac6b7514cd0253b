import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, openSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrateTemplate } from '../test-database.ts'
import { waitForValue } from '../wait-until.ts'

const root = join(import.meta.dirname, '../../..')

/** Describes the servers that are kept between runs. The servers stop when this file is deleted or not used for half an hour. */
export const keptServersPath = join(root, 'tmp/test-servers.json')

export type KeptServers = { postgresUrl: string; postgresPid: number; redisUrl: string }

/** Sets the environment of test processes to servers that stay for the next run. Starts them if they do not run. */
export async function useKeptServers(): Promise<void> {
  const servers = (await findServers()) ?? (await startServers())
  markAsUsed()
  process.env.TEST_POSTGRES_URL = servers.postgresUrl
  process.env.TEST_POSTGRES_PID = String(servers.postgresPid)
  process.env.TEST_REDIS_URL = servers.redisUrl
  process.env.TEST_POSTGRES_TEMPLATE = await prepareTemplate(servers.postgresUrl)
}

/** Keeps the servers while a run takes longer than they wait for the next one. */
export function keepServersInUse(): Disposable {
  const timer = setInterval(markAsUsed, 60_000)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function markAsUsed(): void {
  const now = new Date()
  utimesSync(keptServersPath, now, now)
}

async function findServers(): Promise<KeptServers | undefined> {
  try {
    const servers: KeptServers = JSON.parse(readFileSync(keptServersPath, 'utf8'))
    await queryServer(servers.postgresUrl, 'select')
    return servers
  } catch {
    return undefined
  }
}

function startServers(): Promise<KeptServers> {
  mkdirSync(join(root, 'tmp'), { recursive: true })
  const log = openSync(join(root, 'tmp/test-servers.log'), 'w')
  const program = join(import.meta.dirname, 'keep-servers.ts')
  spawn(process.execPath, [program], { detached: true, stdio: ['ignore', log, log] }).unref()
  return waitForValue(findServers, Boolean) as Promise<KeptServers>
}

/** Migrates a template once per version of the migrations and deletes those of other versions. */
async function prepareTemplate(server: string): Promise<string> {
  const name = `template_${hashMigrations()}`
  const { rows } = await queryServer<{ datname: string }>(
    server,
    `select datname from pg_database where datname like 'template\\_%'`,
  )
  if (rows.some(({ datname }) => datname === name)) return name
  const unfinished = `unfinished_${process.pid}`
  await migrateTemplate(server, unfinished)
  for (const { datname } of rows) await queryServer(server, `drop database if exists ${datname} with (force)`)
  await queryServer(server, `alter database ${unfinished} rename to ${name}`)
  return name
}

function hashMigrations(): string {
  const files = globSync(['migrations/*', 'src/migrate.ts', 'src/platform/{db,jobs}/**/*.ts', 'package-lock.json'], {
    cwd: root,
  })
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

async function queryServer<T extends pg.QueryResultRow>(server: string, text: string): Promise<pg.QueryResult<T>> {
  const client = new pg.Client(`${server}/postgres`)
  client.on('error', () => {})
  await client.connect()
  return await client.query<T>(text).finally(() => client.end())
}
