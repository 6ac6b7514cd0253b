import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Environment, readConfig } from '#platform/config'
import { startJobs, stopJobs } from '#platform/jobs'
import type { Services } from '#platform/module'
import { newKeyLine } from '#platform/secrets'
import { openLog } from '#platform/telemetry'
import { buildApp } from '../app.ts'
import { openKeyRing } from '../modules/identity/auth/key-ring.ts'
import { openTokens } from '../modules/identity/auth/tokens.ts'
import { openServices } from '../services.ts'
import { startWorker } from '../worker.ts'
import { sender } from './client.ts'
import { movableClock } from './clock.ts'
import { startMailServer } from './mail-server.ts'
import { startTestDb } from './test-db.ts'
import { openWorkspace } from './workspace.ts'

const domain = 'tributary.test'
const keys = { SIGNING_KEYS: newKeyLine('test'), SECRETS_KEYS: newKeyLine('test') }

type Onlooker = {
  /** Gets every line of the log. */
  onLine?: (line: string) => void
  onMail?: NonNullable<Parameters<typeof startMailServer>[0]>['onMail']
  /** May change the services before the application is made of them. */
  prepare?: (services: Services) => void
}

/** The whole application on a private database. Everything is released when the test file ends. */
export async function startTestApp(environment: Environment = {}, { onLine, onMail, prepare }: Onlooker = {}) {
  const { database, owner, db: bareDb, systemDb } = await startTestDb()
  const files = await mkdtemp(join(tmpdir(), 'tributary-files-'))
  const mailServer = await startMailServer({ onMail })
  const clock = movableClock()
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    APP_DOMAIN: domain,
    RATE_LIMIT_FACTOR: '0',
    OVERLOAD_DELAY_MS: '0',
    DATABASE_URL: database.appUrl,
    DATABASE_SYSTEM_URL: database.systemUrl,
    SMTP_URL: mailServer.url,
    MAIL_FROM: `no-reply@${domain}`,
    STORAGE_URL: `file://${files}`,
    ...keys,
    ...environment,
  })
  await startJobs({ systemUrl: database.systemUrl })
  const log = onLine && openLog(config, { write: onLine })
  const { services, close } = await openServices(config, { clock, log })
  services.lifecycle.state = 'ready'
  prepare?.(services)
  const requests = sender()
  const app = await buildApp(services, async (empty) => requests.observe(empty))
  await app.ready()

  const workers: { stop(): Promise<void> }[] = []
  after(async () => {
    for (const worker of workers) await worker.stop()
    await app.close()
    await stopJobs()
    await close()
    await mailServer.stop()
    await rm(files, { recursive: true, force: true })
  })

  const tokens = openTokens({ keyRing: openKeyRing(config), config, clock })
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
    tenant: (given?: { slug?: string; name?: string }) => openWorkspace(world, given),
    /** Requests to any host. */
    client: requests.client,
    /** What was really sent, by address. */
    mails: mailServer.mails,
    async startTestWorker() {
      const worker = await startWorker(services)
      let stopped: Promise<void> | undefined
      const stoppable = { ...worker, stop: () => (stopped ??= worker.stop()) }
      workers.push(stoppable)
      return stoppable
    },
  }
}
