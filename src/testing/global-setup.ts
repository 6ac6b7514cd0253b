// Runs once for all test files (node --test-global-setup), which inherit the URLs of the servers.
import { serverVersionOf, startPostgres, testServerSettings } from './servers/postgres.ts'
import { startRedis } from './servers/redis.ts'
import { migrateTemplate } from './test-database.ts'

const stops: (() => Promise<void>)[] = []

export async function globalSetup() {
  if (!process.env.TEST_POSTGRES_URL) {
    const server = await startPostgres({ settings: testServerSettings, inMemory: true })
    process.env.TEST_POSTGRES_URL = server.url
    process.env.TEST_POSTGRES_PID = String(server.pid)
    stops.push(server.stop)
    // Query plans differ between releases.
    console.log(`PostgreSQL ${await serverVersionOf(server.url)}`)
    await migrateTemplate(server.url)
  }
  if (!process.env.TEST_REDIS_URL) {
    const server = await startRedis()
    process.env.TEST_REDIS_URL = server.url
    stops.push(server.stop)
  }
}

export async function globalTeardown() {
  for (const stop of stops) await stop()
}
