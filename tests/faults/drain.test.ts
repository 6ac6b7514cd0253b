import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, password, programEnvironment, programPath, startTestApp } from '#testing'

const { tenant, config, owner } = await startTestApp()

test('identity-9-3 a stopping process reports that it drains and completes and logs open requests', async () => {
  const acme = await tenant()
  const port = await freePort()
  const environment = Object.entries({
    ...config,
    PORT: port,
    METRICS_PORT: 0,
    DRAIN_SECONDS: 2,
    LOG_LEVEL: 'info',
    DEFAULT_TENANT_SLUG: acme.slug,
  })
  const child = spawn(process.execPath, [programPath('src/main.ts'), 'serve'], {
    env: { ...programEnvironment(), ...Object.fromEntries(environment.map(([name, value]) => [name, String(value)])) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = text(child.stdout)
  after(() => child.kill('SIGKILL'))
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
  for (let tries = 0; (await get('/api/health'))?.status !== 200 && tries < 200; tries++) await sleep(50)

  const registered = await owner.query('select from platform.event_consumers')
  const signIn = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: acme.member.email, password }),
  }
  const openRequests = Array.from({ length: 10 }, () => fetch(`http://127.0.0.1:${port}/api/auth/login`, signIn))
  await sleep(20)
  child.kill('SIGTERM')
  await sleep(200)
  const [draining, alive] = [await get('/api/health'), await get('/health')]
  const responses = await Promise.all(openRequests)
  const [code] = await once(child, 'exit')

  assert.ok(registered.rows.length > 0, 'the API registers its event consumers')
  assert.deepEqual([draining?.status, alive?.status], [503, 200])
  assert.partialDeepStrictEqual(await draining?.json(), { status: 'draining' })
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  assert.equal(code, 0)
  const lines = (await output).trimEnd().split('\n')
  const messages = lines.map((line): { msg: string; req?: { route: string } } => JSON.parse(line))
  const afterSignal = messages.slice(messages.findIndex(({ msg }) => msg === 'stopping'))
  assert.equal(afterSignal.filter(({ req }) => req?.route === '/health').length, 1)
  assert.equal(messages.filter(({ req }) => req?.route === '/api/auth/login').length, 10)
})
