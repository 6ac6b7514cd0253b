import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { FastifyListenOptions } from 'fastify'
import type pg from 'pg'
import { createKeyRing, createTokenService } from '#modules/identity'
import { type Environment, readConfig } from '#platform/config'
import type { Routes } from '#platform/http'
import type { Module, Services } from '#platform/module'
import { generateKeyEntry } from '#platform/secrets'
import { createLogger } from '#platform/telemetry'
import { buildApp } from '../app.ts'
import { openServices } from '../services.ts'
import { startWorker } from '../start-worker.ts'
import { createTestClients } from './client.ts'
import { createTestClock } from './clock.ts'
import { counters } from './counters.ts'
import { observeLockOrder } from './lock-order.ts'
import { startPlanDb } from './plan-db.ts'
import { atProcessEnd, isProcessShared } from './process-end.ts'
import { trackTenants } from './run-tenant-schedule.ts'
import { startMailServer } from './servers/mail-server.ts'
import { startTestDb } from './test-db.ts'
import { createTestWorkspace } from './workspace.ts'

const domain = 'tributary.test'
const keys = { SIGNING_KEYS: generateKeyEntry('test'), SECRETS_KEYS: generateKeyEntry('test') }

type TestAppOptions = {
  /** Starts an application for this file only, even if no other option differs from the default. */
  isOwn?: true
  /** Shares the application with the files of this process that have the same environment. */
  isShared?: true
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

type TestApp = Awaited<ReturnType<typeof openTestApp>>
type TenantOptions = Parameters<typeof createTestWorkspace>[1]

/**
 * Returns the application that the files of this process share, or starts one for this file if it needs other settings. A file that
 * stops the application, changes the schema or depends on the rows of all workspaces passes `isOwn`.
 */
export function startTestApp(environment: Environment = {}, options: TestAppOptions = {}): Promise<TestApp> {
  const { isShared = Object.keys(environment).length === 0, ...others } = options
  const canShare = isShared && Object.keys(others).length === 0 && isProcessShared()
  return canShare
    ? useSharedApp(JSON.stringify(environment), () => openTestApp(environment, {}, atProcessEnd))
    : openTestApp(environment, options, after)
}

/** Returns an application with the database of `startPlanDb`, for files about query plans that need workspaces or requests. */
export function startPlanApp(): Promise<TestApp> {
  if (!isProcessShared()) return openTestApp({}, {}, after)
  const started = startPlanDb()
  return useSharedApp('plans', () => openTestApp({}, {}, atProcessEnd, started))
}

const sharedApps = new Map<string, Promise<TestApp>>()

async function useSharedApp(key: string, open: () => Promise<TestApp>): Promise<TestApp> {
  const opened = sharedApps.get(key) ?? open()
  sharedApps.set(key, opened)
  const workers: { stop(): Promise<void> }[] = []
  // Registered before the first await: afterwards it could become a hook of another file.
  after(async () => {
    const app = await opened
    for (const worker of workers) await worker.stop()
    app.clock.reset()
    trackTenants(app.systemDb).clear()
    await discardWork(app.owner)
    app.assertLockOrder()
  })
  const app = await opened
  const tenants = trackTenants(app.systemDb)
  return {
    ...app,
    async tenant(options?: TenantOptions) {
      const workspace = await app.tenant(options)
      tenants.add(workspace.id)
      return workspace
    },
    async startTestWorker() {
      const worker = await app.startTestWorker()
      workers.push(worker)
      return worker
    },
    stop: () => Promise.reject(new Error('A file that stops its application must start it with { isOwn: true }.')),
  }
}

/** Leaves no events and jobs for the workers of the next file. */
async function discardWork(owner: pg.Pool): Promise<void> {
  await owner.query('update platform.outbox_events set published_at = now() where published_at is null')
  await owner.query('delete from pgboss.job')
}

async function openTestApp(
  environment: Environment,
  { server, onLine, onMail, toDatabaseUrl = (url) => url, prepare, routes, modules: testModules }: TestAppOptions,
  atEnd: (release: () => Promise<void>) => void,
  started = startTestDb(server, atEnd),
) {
  counters.applications++
  const { database, owner, db: bareDb, systemDb } = await started
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
    DATABASE_WAIT_MS: '10000',
    DATABASE_URL: toDatabaseUrl(database.appUrl),
    DATABASE_SYSTEM_URL: toDatabaseUrl(database.systemUrl),
    WEB_FILES: 'none',
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
  // The files of a process share one port.
  const listen: (options: FastifyListenOptions) => Promise<string> = app.listen.bind(app)
  let origin: Promise<string> | undefined
  Object.assign(app, { listen: (options: FastifyListenOptions) => (origin ??= listen(options)) })

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
  const assertLockOrder = () => {
    const violations = lockOrderViolations.splice(0)
    assert.deepEqual(violations, [], 'locks must be taken in the order of docs/architecture/lock-order.md')
  }
  atEnd(async () => {
    await stop()
    assertLockOrder()
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
    tenant: (options?: TenantOptions) => createTestWorkspace(world, options),
    /** Creates a client for any host. */
    client: requests.client,
    mails: mailServer.mails,
    stop,
    assertLockOrder,
    async startTestWorker() {
      const worker = await startWorker(services)
      let workerStopped: Promise<void> | undefined
      const stoppable = { ...worker, stop: () => (workerStopped ??= worker.stop()) }
      workers.push(stoppable)
      return stoppable
    },
  }
}
