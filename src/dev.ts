// Development environment: local PostgreSQL, Redis, SMTP server and identity provider, a demo workspace, the API and a worker.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyEntry, generateSecretToken } from '#platform/secrets'
import { migrateDatabase } from './migrate.ts'
import { createDataFolder } from './testing/data-folder.ts'
import { startIdentityProvider } from './testing/identity-provider.ts'
import { startMailServer } from './testing/mail-server.ts'
import { startPostgres } from './testing/postgres.ts'
import { freePort } from './testing/processes.ts'
import { startRedis } from './testing/redis.ts'
import { createDatabase, databaseUrls } from './testing/test-database.ts'

const home = process.env.DEV_HOME ?? join(import.meta.dirname, '..', '.dev')
const demo = { slug: 'demo', name: 'Demo', email: 'admin@demo.example' }

const postgresFolder = await createDataFolder(home, 'postgres')
const state = await readState()
const postgres = await startPostgres({ folder: postgresFolder, isDurable: true })
const redis = await startRedis()
const mailbox = await startMailServer({
  onMail: (to, { subject, text }) => console.log(`\n--- email to ${to}: ${subject}\n${text}\n---`),
})
const port = await freePort(3000)
const provider = await startIdentityProvider({
  port: 3900,
  redirectUris: [`localhost:${port}/api/auth/sso/google`, `${demo.slug}.localhost:${port}/api/auth/sso/okta`].map(
    (path) => `http://${path}/callback`,
  ),
})
const { ownerUrl, appUrl, systemUrl } = databaseUrls(postgres.url, 'tributary')
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

await createDatabase(postgres.url, 'tributary')
await migrateDatabase({ DATABASE_OWNER_URL: ownerUrl, DATABASE_SYSTEM_URL: systemUrl })
const children = ['serve', 'work'].map((command) => startCommand(command))
process.once('exit', () => children.map((child) => child.kill('SIGTERM')))
await waitForApi()
if (!state.password) await createDemoWorkspace()
const isSsoEnabled = await enableSso()
console.log(`
Tributary is running.
  workspace   http://${demo.slug}.localhost:${port}
  reference   http://${demo.slug}.localhost:${port}/reference
  sign in     ${demo.email}  ${state.password}
              ${isSsoEnabled ? `or with Google or Okta and any credentials` : ''}

  curl -s http://${demo.slug}.localhost:${port}/api/auth/login -H 'content-type: application/json' \\
    -d '{"email":"${demo.email}","password":"${state.password}"}'

Emails are printed here. Press Ctrl-C to stop; the data is kept in ${relative(process.cwd(), home)}.`)

process.once('SIGINT', stop)
process.once('SIGTERM', stop)

type DevState = { signingKeys: string; secretsKeys: string; password?: string }

/** Persists the keys, so that sessions survive a restart. */
async function readState(): Promise<DevState> {
  const file = join(home, 'kept.json')
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
  const initial: DevState = { signingKeys: generateKeyEntry('dev'), secretsKeys: generateKeyEntry('dev') }
  await writeFile(file, JSON.stringify(initial), { mode: 0o600 })
  return initial
}

function startCommand(command: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), command], {
    env: environment,
    stdio: 'inherit',
  })
  child.once('exit', (code) => {
    if (code) process.exitCode = code
  })
  return child
}

async function waitForApi(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined)
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error('The API did not start. See its output above.')
}

async function createDemoWorkspace(): Promise<void> {
  const password = generateSecretToken()
  const link = await createDemoTenant()
  const token = new URL(link).hash.replace(/^#token=/, '') || new URL(link).searchParams.get('token')
  const response = await send('POST', '/api/auth/reset-password', { token, new_password: password })
  if (!response.ok) throw new Error(`The demo workspace could not be created: ${await response.text()}`)
  state.password = password
  await writeFile(join(home, 'kept.json'), JSON.stringify(state), { mode: 0o600 })
}

async function enableSso(): Promise<boolean> {
  const login = await send('POST', '/api/auth/login', { email: demo.email, password: state.password })
  if (!login.ok) return false
  const { access_token } = (await login.json()) as { access_token: string }
  const { issuer, client } = provider
  const okta = { enabled: true, issuer, client_id: client.id, client_secret: client.secret }
  const sso = { jit_provisioning: true, google: { enabled: true }, okta }
  return (await send('PATCH', '/api/admin/settings', { sso }, { authorization: `Bearer ${access_token}` })).ok
}

function send(method: string, path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

async function createDemoTenant(): Promise<string> {
  const options = ['--slug', demo.slug, '--name', demo.name, '--admin-email', demo.email, '--signup', 'open', '--json']
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'tenant', 'create', ...options], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = Buffer.concat(await child.stdout.toArray()).toString()
  return JSON.parse(output).invitation.link
}

async function stop(): Promise<void> {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(
    children.map(
      (child) => new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(0))),
    ),
  )
  await Promise.all([postgres.stop(), redis.stop(), mailbox.stop(), provider.stop()])
}
