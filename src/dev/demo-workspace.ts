import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { generateSecretToken } from '#platform/secrets'
import type { TaskProgress } from './steps.ts'

export const demo = { slug: 'demo', name: 'Demo', email: 'admin@demo.example', adminName: 'Alex Morgan' }

type Api = { origin: string; environment: NodeJS.ProcessEnv }
type Provider = { issuer: string; client: { id: string; secret: string } }

export async function createDemoWorkspace({ origin, environment }: Api): Promise<string> {
  const password = generateSecretToken()
  const link = new URL(await createDemoTenant(environment))
  const token = link.hash.replace(/^#token=/, '')
  const response = await send(origin, 'POST', '/api/auth/reset-password', { token, new_password: password })
  if (!response.ok) throw new Error(`The demo workspace could not be created: ${await response.text()}`)
  return password
}

/** Reads the state of the load; undefined if it cannot be read any more. */
export type SampleDataTask = { read(): Promise<TaskProgress | undefined> }

/** Starts the load; the worker continues it in the background. */
export async function loadSampleData({ origin }: Api, password: string): Promise<SampleDataTask> {
  const headers = await signIn(origin, password)
  // Visitors of the sample rooms see the title of their owner.
  const me = await readJson<{ id: string }>(origin, '/api/auth/me', headers)
  if (me) await send(origin, 'PATCH', `/api/users/${me.id}`, { title: 'Account Executive' }, headers)
  const response = await send(origin, 'POST', '/api/admin/load-sample-data', {}, headers)
  if (!response.ok) throw new Error(`The sample data could not be loaded: ${await response.text()}`)
  const { status_url } = (await response.json()) as { status_url: string }
  return { read: () => readJson<TaskProgress>(origin, status_url, headers) }
}

/** Path of the public page of the sample room that the admin owns; undefined if it does not exist or the password was changed. */
export async function findRoomPath({ origin }: Api, password: string): Promise<string | undefined> {
  const headers = await signIn(origin, password)
  if (!headers) return undefined
  const list = '/api/enablement/rooms/?mine=true&status=active&sort=-engagement_score&limit=1'
  const rooms = await readJson<{ items: { id: string }[] }>(origin, list, headers)
  const [hottest] = rooms?.items ?? []
  const room = hottest && (await readJson<RoomShare>(origin, `/api/enablement/rooms/${hottest.id}`, headers))
  return room?.share?.url ? new URL(room.share.url).pathname : undefined
}

type RoomShare = { share: { url: string | null } | null }

async function readJson<T>(origin: string, path: string, headers: RequestInit['headers']): Promise<T | undefined> {
  const response = await fetch(`${origin}${path}`, headers && { headers }).catch(() => undefined)
  return response?.ok ? ((await response.json()) as T) : undefined
}

async function signIn(origin: string, password: string): Promise<{ authorization: string } | undefined> {
  const login = await send(origin, 'POST', '/api/auth/login', { email: demo.email, password })
  if (!login.ok) return undefined
  const { access_token } = (await login.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}

export async function enableSso({ origin }: Api, password: string, { issuer, client }: Provider): Promise<boolean> {
  const headers = await signIn(origin, password)
  if (!headers) return false
  const okta = { enabled: true, issuer, client_id: client.id, client_secret: client.secret }
  const sso = { jit_provisioning: true, google: { enabled: true, allowed_hosted_domains: ['demo.example'] }, okta }
  const response = await send(origin, 'PATCH', '/api/admin/settings', { sso }, headers)
  if (!response.ok) throw new Error(`Single sign-on could not be enabled: ${await response.text()}`)
  return true
}

function send(origin: string, method: string, path: string, body: object, headers: object = {}): Promise<Response> {
  return fetch(`${origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

async function createDemoTenant(environment: NodeJS.ProcessEnv): Promise<string> {
  const admin = ['--admin-email', demo.email, '--admin-name', demo.adminName]
  const options = ['--slug', demo.slug, '--name', demo.name, ...admin, '--signup', 'open', '--json']
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), 'tenant', 'create', ...options], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = Buffer.concat(await child.stdout.toArray()).toString()
  return JSON.parse(output).invitation.link
}
