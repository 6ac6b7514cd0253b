import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Environment, readConfig } from '#platform/config'
import type { Routes } from '#platform/http'
import type { Module, Services } from '#platform/module'
import { generateKeyEntry } from '#platform/secrets'
import { createLogger } from '#platform/telemetry'
import { buildApp } from '../app.ts'
import { createKeyRing } from '../modules/identity/tokens/key-ring.ts'
import { createTokenService } from '../modules/identity/tokens/tokens.ts'
import { openServices } from '../services.ts'
import { startWorker } from '../start-worker.ts'
import { createTestClients } from './client.ts'
import { createTestClock } from './clock.ts'
import { observeLockOrder } from './lock-order.ts'
import { startMailServer } from './mail-server.ts'
import { startTestDb } from './test-db.ts'
import { createTestWorkspace } from './workspace.ts'

const domain = 'tributary.test'
const keys = { SIGNING_KEYS: generateKeyEntry('test'), SECRETS_KEYS: generateKeyEntry('test') }

type TestAppOptions = {
  /** URL of a PostgreSQL server other than the shared one; its template must be migrated. */
  server?: string
  onLine?: (line: string) => void
  onMail?: NonNullable<Parameters<typeof startMailServer>[0]>['onMail']
  toDatabaseUrl?: (url: string) => string
  /** Can replace services before the application is built. */
  prepare?: (services: Services) => void
  /** Adds routes that only a test uses. They are hidden from the OpenAPI document. */
  routes?: (services: Services) => Routes
  /** Adds modules that only a test uses. Their routes are registered by `routes`. */
  modules?: readonly Module[]
}

/** Starts an application on a database of its own; stops it when the test file ends. A file can start several. */
export async function startTestApp(
  environment: Environment = {},
  { server, onLine, onMail, toDatabaseUrl = (url) => url, prepare, routes, modules: testModules }: TestAppOptions = {},
) {
  const { database, owner, db: bareDb, systemDb } = await startTestDb(server)
  const files = await mkdtemp(join(tmpdir(), 'tributary-files-'))
  const mailServer = await startMailServer({ onMail })
  const clock = createTestClock()
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    APP_DOMAIN: domain,
    RATE_LIMIT_FACTOR: '0',
    OVERLOAD_DELAY_MS: '0',
    SLOW_STATEMENT_MS: '0',
    DATABASE_URL: toDatabaseUrl(database.appUrl),
    DATABASE_SYSTEM_URL: toDatabaseUrl(database.systemUrl),
    SMTP_URL: mailServer.url,
    MAIL_FROM: `no-reply@${domain}`,
    STORAGE_URL: `file://${files}`,
    ...keys,
    ...environment,
  })
  const log = onLine && createLogger(config, { write: onLine })
  const { services, close } = await openServices(config, { clock, log, sameInstanceAs: bareDb, testModules })
  const lockOrderViolations = observeLockOrder([services.db.pool, bareDb.pool, systemDb.pool])
  await services.jobQueue.start()
  services.lifecycle.state = 'ready'
  prepare?.(services)
  const requests = createTestClients()
  const app = await buildApp(services, async (empty) => {
    requests.observe(empty)
    if (routes) await empty.register(routes(services))
  })
  await app.ready()

  const workers: { stop(): Promise<void> }[] = []
  const stopAll = async () => {
    for (const worker of workers) await worker.stop()
    // A browser can hold a connection without a request, which would block close().
    app.server.closeAllConnections()
    await app.close()
    await close()
    await mailServer.stop()
    await rm(files, { recursive: true, force: true })
  }
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= stopAll())
  after(async () => {
    await stop()
    assert.deepEqual(lockOrderViolations, [], 'locks must be taken in the order of docs/architecture.md#lock-order')
  })

  const tokens = createTokenService({ keyRing: createKeyRing(config), config, clock })
  const world = { owner, client: requests.client, tokens, now: () => clock.now(), domain: config.APP_DOMAIN }
  return {
    app,
    config,
    services,
    clock,
    owner,
    database,
    db: bareDb,
    systemDb,
    tokens,
    domain: config.APP_DOMAIN,
    tenant: (options?: { slug?: string; name?: string }) => createTestWorkspace(world, options),
    /** Creates a client for any host. */
    client: requests.client,
    mails: mailServer.mails,
    stop,
    async startTestWorker() {
      const worker = await startWorker(services)
      let workerStopped: Promise<void> | undefined
      const stoppable = { ...worker, stop: () => (workerStopped ??= worker.stop()) }
      workers.push(stoppable)
      return stoppable
    },
  }
}
