// npm run dev: local PostgreSQL, Redis, SMTP server and identity provider, a demo workspace, the API and a worker.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { migrateDatabase, planMigrations } from '../migrate.ts'
import { createDataFolder } from '../testing/servers/data-folder.ts'
import { startIdentityProvider } from '../testing/servers/identity-provider.ts'
import { startMailServer } from '../testing/servers/mail-server.ts'
import { startPostgres } from '../testing/servers/postgres.ts'
import { freePort } from '../testing/servers/processes.ts'
import { startRedis } from '../testing/servers/redis.ts'
import { createDatabase, databaseUrls } from '../testing/test-database.ts'
import { buildWeb, isWebOutdated } from './build-web.ts'
import {
  createDemoWorkspace,
  demo,
  enableSso,
  findRoomPath,
  loadSampleData,
  type SampleDataTask,
} from './demo-workspace.ts'
import { claimInstance } from './running-instance.ts'
import { readState, writeState } from './state.ts'
import { migrateWithProgress, reportTask, waitForApi } from './steps.ts'

const home = process.env.DEV_HOME ?? join(import.meta.dirname, '../../.dev')
const stops: (() => unknown)[] = []
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop())
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
try {
  await start()
} catch (error) {
  if (!isStopping) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
  await stop()
}

async function start(): Promise<void> {
  const wantedPort = readPort()
  const postgresFolder = await createDataFolder(home, 'postgres')
  const instance = await claimInstance(home)
  stops.push(instance.release)
  const state = await readState(home)
  print(
    existsSync(join(postgresFolder, 'PG_VERSION')) ? 'Starting PostgreSQL' : 'Installing PostgreSQL in its data folder',
  )
  const postgres = await startPostgres({ folder: postgresFolder, isDurable: true })
  stops.push(postgres.stop)
  instance.addChild(postgres.pid)
  print('Starting Redis and the mail server')
  const redis = await startRedis()
  stops.push(redis.stop)
  instance.addChild(redis.pid)
  let isReady = false
  const mailbox = await startMailServer({
    onMail: (to, { subject, text }) => {
      if (isReady) console.log(`\n--- email to ${to}: ${subject}\n${text}\n---`)
    },
  })
  stops.push(mailbox.stop)
  const { ownerUrl, appUrl, systemUrl } = databaseUrls(postgres.url, 'tributary')
  await createDatabase(postgres.url, 'tributary')
  const urls = { DATABASE_OWNER_URL: ownerUrl, DATABASE_SYSTEM_URL: systemUrl }
  await migrateWithProgress({
    countPending: async () => (await planMigrations(urls)).length,
    run: () => migrateDatabase(urls),
    print,
  })
  // Chosen late, so that another process has little time to take it before the API starts.
  const port = await freePort(wantedPort)
  const provider = await startIdentityProvider({
    port: state.providerPort,
    clientSecret: state.clientSecret,
    redirectUris: [`localhost:${port}/api/auth/sso/google`, `${demo.slug}.localhost:${port}/api/auth/sso/okta`].map(
      (path) => `http://${path}/callback`,
    ),
  })
  stops.push(provider.stop)
  const environment = {
    ...process.env,
    NODE_ENV: 'development',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    PORT: String(port),
    METRICS_PORT: '0',
    DRAIN_SECONDS: '0',
    APP_DOMAIN: 'localhost',
    APP_SCHEME: 'http',
    APP_PORT: String(port),
    DEFAULT_TENANT_SLUG: demo.slug,
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_URL: appUrl,
    DATABASE_SYSTEM_URL: systemUrl,
    REDIS_URL: redis.url,
    SMTP_URL: mailbox.url,
    STORAGE_URL: `file://${join(home, 'files')}`,
    SAFE_FETCH_ALLOW_PRIVATE: 'true',
    GOOGLE_ISSUER: provider.issuer,
    GOOGLE_CLIENT_ID: provider.client.id,
    GOOGLE_CLIENT_SECRET: provider.client.secret,
    SIGNING_KEYS: state.signingKeys,
    SECRETS_KEYS: state.secretsKeys,
  }

  if (isWebOutdated()) {
    print('Building the web application')
    buildWeb()
  }
  print('Starting the API and the worker')
  const children = ['serve', 'work'].map((command) => ({ command, child: startCommand(command, environment) }))
  stops.push(() => Promise.all(children.map(({ child }) => stopChild(child))))
  for (const { child } of children) if (child.pid) instance.addChild(child.pid)
  const api = { origin: `http://127.0.0.1:${port}`, environment }
  await waitForApi({
    isReady: async () => (await fetch(`${api.origin}/api/health`).catch(() => undefined))?.ok ?? false,
    findEnded: () => children.find(({ child }) => child.exitCode !== null || child.signalCode !== null)?.command,
    print,
  })
  let sampleData: SampleDataTask | undefined
  if (!state.password) {
    print('Creating the demo workspace')
    state.password = await createDemoWorkspace(api)
    await writeState(home, state)
    // Confirms the password that was just set; of no interest to the developer.
    await mailbox.mails(demo.email, 1)
    if (process.env.DEV_SAMPLE_DATA !== 'false') sampleData = await loadSampleData(api, state.password)
  }
  const isPasswordCurrent = await enableSso(api, state.password, provider)
  isReady = true
  if (port !== wantedPort)
    console.log(`Port ${wantedPort} is in use, so the API uses port ${port}. Set PORT to choose another one.`)
  const password = isPasswordCurrent ? state.password : undefined
  const describeRoom = async () => {
    const path = password && (await findRoomPath(api, password).catch(() => undefined))
    return path ? `  room        http://${demo.slug}.localhost:${port}${path}` : undefined
  }
  console.log(describeStart(port, password, sampleData ? undefined : await describeRoom()))
  if (!sampleData) return
  const rewrite = process.stdout.isTTY ? rewriteLine : undefined
  void reportTask({ name: 'Loading sample data', read: sampleData.read, print, rewrite }).then(async () =>
    print(describeStart(port, password, await describeRoom())),
  )
}

function print(line: string): void {
  if (!isStopping) console.log(line)
}

/** Leaves the cursor at the start of the line, which the next output replaces. */
function rewriteLine(line: string): void {
  if (!isStopping) process.stdout.write(`${line}\x1b[K\r`)
}

function readPort(): number {
  const port = Number(process.env.PORT || 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT must be a number from 0 to 65535.')
  return port
}

function startCommand(command: string, env: NodeJS.ProcessEnv): ChildProcess {
  // Detached, so that Ctrl-C reaches only this process, which stops all others in order.
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), command], {
    env,
    stdio: 'inherit',
    detached: true,
  })
  const killOnExit = () => child.kill('SIGTERM')
  process.once('exit', killOnExit)
  child.once('exit', (code) => {
    process.off('exit', killOnExit)
    if (code) process.exitCode = code
  })
  return child
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function describeStart(port: number, password: string | undefined, room: string | undefined): string {
  const origin = `http://${demo.slug}.localhost:${port}`
  const signIn = password
    ? `${demo.email}  ${password}
              or with Google or Okta and any credentials`
    : `${demo.email}  The password was changed. To reset it, click "Forgot your password?"
              on the sign-in page; the email with the link is printed here.`
  return `
Tributary is running.
  workspace   ${origin}
  sign in     ${signIn}
  reference   ${origin}/reference${room ? `\n${room}` : ''}
  programs    http://localhost:${port}, because many HTTP libraries do not resolve ${demo.slug}.localhost

Emails are printed here. Press Ctrl-C to stop; the data is kept in ${relative(process.cwd(), home) || '.'}.`
}

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  for (const release of stops.reverse()) await release()
  if (!process.exitCode) console.log('Stopped.')
  process.exit()
}
