// One command for a developer: local PostgreSQL, Redis, mailbox and identity provider, the schema, a demo workspace, the API and a worker.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKeyLine, newSecretToken } from '#platform/secrets'
import { migrateEverything } from './migrate.ts'
import { startIdentityProvider } from './testing/identity-provider.ts'
import { startMailServer } from './testing/mail-server.ts'
import { startPostgres } from './testing/postgres.ts'
import { freePort } from './testing/processes.ts'
import { startRedis } from './testing/redis.ts'
import { createDatabase, databaseUrls } from './testing/test-database.ts'

const home = process.env.DEV_HOME ?? join(import.meta.dirname, '..', '.dev')
const demo = { slug: 'demo', name: 'Demo', email: 'admin@demo.example' }

await mkdir(join(home, 'postgres'), { recursive: true })
// PostgreSQL does not run as root, so it must be able to pass through.
await chmod(home, 0o711)
const kept = await readKept()
const postgres = await startPostgres({ folder: join(home, 'postgres'), isDurable: true })
const redis = await startRedis()
const mailbox = await startMailServer({
  onMail: (to, { subject, text }) => console.log(`\n--- mail to ${to}: ${subject}\n${text}\n---`),
})
const port = await freePort(3000)
// Both Google and Okta, as far as the demo workspace is concerned.
const provider = await startIdentityProvider({
  port: 3900,
  redirectUris: [`localhost:${port}/api/auth/sso/google`, `${demo.slug}.localhost:${port}/api/auth/sso/okta`].map(
    (start) => `http://${start}/callback`,
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
  SIGNING_KEYS: kept.signingKeys,
  SECRETS_KEYS: kept.secretsKeys,
}

await createDatabase(postgres.url, 'tributary')
await migrateEverything({ DATABASE_OWNER_URL: ownerUrl, DATABASE_SYSTEM_URL: systemUrl })
const children = ['serve', 'work'].map((command) => start(command))
process.once('exit', () => children.map((child) => child.kill('SIGTERM')))
await untilServing()
if (!kept.password) await openDemo()
const offersSignOn = await offerSignOn()
console.log(`
Tributary is running.
  workspace   http://${demo.slug}.localhost:${port}
  reference   http://${demo.slug}.localhost:${port}/reference
  sign in     ${demo.email}  ${kept.password}
              ${offersSignOn ? `or with Google or Okta, as ${demo.email} or anybody else, with any password` : ''}

  curl -s http://${demo.slug}.localhost:${port}/api/auth/login -H 'content-type: application/json' \\
    -d '{"email":"${demo.email}","password":"${kept.password}"}'

Mails appear here. Ctrl-C ends everything; the data stays in ${relative(process.cwd(), home)}.`)

process.once('SIGINT', stop)
process.once('SIGTERM', stop)

type Kept = { signingKeys: string; secretsKeys: string; password?: string }

/** Keys outlive a restart, or everybody would be signed out by it. */
async function readKept(): Promise<Kept> {
  const file = join(home, 'kept.json')
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
  const fresh: Kept = { signingKeys: newKeyLine('dev'), secretsKeys: newKeyLine('dev') }
  await writeFile(file, JSON.stringify(fresh), { mode: 0o600 })
  return fresh
}

function start(command: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), command], {
    env: environment,
    stdio: 'inherit',
  })
  child.once('exit', (code) => {
    if (code) process.exitCode = code
  })
  return child
}

async function untilServing(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error('The API did not start; its messages are above.')
}

/** As an operator and the first admin would: create the workspace, then choose a password through the link. */
async function openDemo(): Promise<void> {
  const password = newSecretToken()
  const link = await createDemo()
  const token = new URL(link).hash.replace(/^#token=/, '') || new URL(link).searchParams.get('token')
  const answer = await send('POST', '/api/auth/reset-password', { token, new_password: password })
  if (!answer.ok) throw new Error(`The demo workspace could not be set up: ${await answer.text()}`)
  kept.password = password
  await writeFile(join(home, 'kept.json'), JSON.stringify(kept), { mode: 0o600 })
}

/** As the admin would. False when somebody has chosen another password than the one we know. */
async function offerSignOn(): Promise<boolean> {
  const login = await send('POST', '/api/auth/login', { email: demo.email, password: kept.password })
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

async function createDemo(): Promise<string> {
  const options = ['--slug', demo.slug, '--name', demo.name, '--admin-email', demo.email, '--signup', 'open', '--json']
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'tenant', 'create', ...options], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = Buffer.concat(await child.stdout.toArray()).toString()
  return JSON.parse(printed).invitation.link
}

async function stop(): Promise<void> {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(
    children.map((child) => new Promise((ended) => (child.exitCode === null ? child.once('exit', ended) : ended(0)))),
  )
  await Promise.all([postgres.stop(), redis.stop(), mailbox.stop(), provider.stop()])
}
