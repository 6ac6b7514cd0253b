// Keeps PostgreSQL and Redis for `npm test -- <folder>` until they are not used for half an hour.
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type KeptServers, keptServersPath } from './kept-servers.ts'
import { startPostgres, testServerSettings } from './postgres.ts'
import { startRedis } from './redis.ts'

const maxIdleMs = 30 * 60_000

const postgres = await startPostgres({ settings: testServerSettings, inMemory: true })
const redis = await startRedis()
const servers: KeptServers = { postgresUrl: postgres.url, postgresPid: postgres.pid, redisUrl: redis.url }
writeFileSync(`${keptServersPath}.new`, JSON.stringify(servers))
renameSync(`${keptServersPath}.new`, keptServersPath)
const { ino } = statSync(keptServersPath)

while (isUsed()) await sleep(5_000)
await redis.stop()
await postgres.stop()
process.exit()

/** Another process may have started servers of its own and replaced the file. */
function isUsed(): boolean {
  const file = statSync(keptServersPath, { throwIfNoEntry: false })
  if (!file || file.ino !== ino) return false
  const isRecent = Date.now() - file.mtimeMs < maxIdleMs
  if (!isRecent) rmSync(keptServersPath)
  return isRecent
}
