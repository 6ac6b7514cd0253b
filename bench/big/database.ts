import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDataFolder, databaseUrls, migrateTemplate, startPostgres } from '#testing'

/** `leads` in the large workspace, `compared` in the small one, and `each` in every one of the `others`. */
export type DatabaseSize = { leads: number; compared: number; others: number; each: number }

export const defaultHome = join(import.meta.dirname, '../../.dev/big')
const name = 'tributary_big'
const settings = ['shared_buffers=2GB', 'maintenance_work_mem=1GB', 'max_wal_size=8GB', 'work_mem=16MB', 'jit=off']

/** Starts a PostgreSQL server with persistent data, because filling it takes minutes. */
export async function startBigServer(home = defaultHome) {
  const folder = await createDataFolder(home, 'postgres')
  const server = await startPostgres({ folder, settings })
  return { server, database: { name, ...databaseUrls(server.url, name) } }
}

export async function recreateBigDatabase(server: { url: string }, home = defaultHome): Promise<void> {
  await rm(sizeFilePath(home), { force: true })
  await migrateTemplate(server.url, name)
}

/** Marks the database as completely filled. */
export const saveFilledSize = (size: DatabaseSize, home = defaultHome) =>
  writeFile(sizeFilePath(home), JSON.stringify(size))

export async function readFilledSize(home = defaultHome): Promise<DatabaseSize> {
  if (!existsSync(sizeFilePath(home)))
    throw new Error('The database is empty. Fill it first: npm run seed:big -- --leads 1000000')
  return JSON.parse(await readFile(sizeFilePath(home), 'utf8'))
}

const sizeFilePath = (home: string) => join(home, 'filled.json')
