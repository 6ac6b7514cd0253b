import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseUrls, migrateTemplate, startPostgres } from '#testing'

/** How much there is: leads in the largest workspace and in the one it is compared with, and in each of the others. */
export type Size = { leads: number; compared: number; others: number; each: number }

export const usualHome = join(import.meta.dirname, '../../.dev/big')
const name = 'tributary_big'
const settings = ['shared_buffers=2GB', 'maintenance_work_mem=1GB', 'max_wal_size=8GB', 'work_mem=16MB', 'jit=off']

/** A PostgreSQL whose data outlives the process, since filling it takes minutes. */
export async function openBigServer(home = usualHome) {
  const folder = join(home, 'postgres')
  await mkdir(folder, { recursive: true })
  // PostgreSQL does not run as root, so it must be able to pass through.
  await chmod(home, 0o711)
  const server = await startPostgres({ folder, settings })
  return { server, database: { name, ...databaseUrls(server.url, name) } }
}

/** An empty schema, whatever was there before. */
export async function emptyBigDatabase(server: { url: string }, home = usualHome): Promise<void> {
  await rm(markOf(home), { force: true })
  await migrateTemplate(server.url, name)
}

/** Only what was filled to the end is measured. */
export const noteFilled = (size: Size, home = usualHome) => writeFile(markOf(home), JSON.stringify(size))

export async function sizeFilled(home = usualHome): Promise<Size> {
  if (!existsSync(markOf(home)))
    throw new Error('There is nothing to measure yet. Fill it first: npm run seed:big -- --leads 1000000')
  return JSON.parse(await readFile(markOf(home), 'utf8'))
}

const markOf = (home: string) => join(home, 'filled.json')
