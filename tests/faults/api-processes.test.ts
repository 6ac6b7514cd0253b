// API processes that are stopped or killed while they serve requests.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { password, programPath, startTestApp, waitForBlockedSessions, waitForValue } from '#testing'
import { spawnApi, startKillableApi } from './api-process.fixture.ts'

const { tenant, config, owner } = await startTestApp()

type LogLine = { msg: string; port?: number; req?: { route: string } }

/** Starts the API on a free port and returns the lines of its log. */
async function startApi(slug: string) {
  const settings = { PORT: 0, METRICS_PORT: 0, DRAIN_SECONDS: 3, LOG_LEVEL: 'info' as const, DEFAULT_TENANT_SLUG: slug }
  const child = spawnApi([programPath('src/main.ts'), 'serve'], { ...config, ...settings })
  const lines: LogLine[] = []
  const output = createInterface(child.stdout).on('line', (line) => void lines.push(JSON.parse(line)))
  const outputEnd = once(output, 'close')
  const started = await waitForValue(
    () => lines.find(({ msg }) => msg === 'API server started'),
    (line) => line !== undefined || child.exitCode !== null,
    120,
  )
  return { child, lines, outputEnd, origin: `http://127.0.0.1:${started?.port}` }
}

test('identity-9-3 a stopping process reports that it drains and completes and logs open requests', async () => {
  const acme = await tenant()
  const { child, lines, outputEnd, origin } = await startApi(acme.slug)
  const exited = once(child, 'exit')
  const get = (path: string) => fetch(`${origin}${path}`)
  const signIn = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: acme.member.email, password }),
  }

  const ready = await get('/api/health')
  const registered = await owner.query('select from platform.event_consumers')
  const blocker = await owner.connect()
  await blocker.query('begin; lock table identity.sessions in exclusive mode')
  const openRequests = Promise.all(Array.from({ length: 10 }, () => fetch(`${origin}/api/auth/login`, signIn)))
  await waitForBlockedSessions(owner, 1)
  child.kill('SIGTERM')
  const draining = await waitForValue(
    () => get('/api/health'),
    ({ status }) => status === 503,
  )
  const alive = await get('/health')
  await blocker.query('rollback')
  blocker.release()
  const responses = await openRequests
  const [code] = await exited
  await outputEnd

  assert.equal(ready.status, 200)
  assert.ok(registered.rows.length > 0, 'the API registers its event consumers')
  assert.deepEqual([draining.status, alive.status], [503, 200])
  assert.partialDeepStrictEqual(await draining.json(), { status: 'draining' })
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  assert.equal(code, 0)
  const afterSignal = lines.slice(lines.findIndex(({ msg }) => msg === 'stopping'))
  assert.equal(afterSignal.filter(({ req }) => req?.route === '/health').length, 1)
  assert.equal(lines.filter(({ req }) => req?.route === '/api/auth/login').length, 10)
})

test('requests whose API process was killed can be repeated with their idempotency keys in another process', async () => {
  const acme = await tenant()
  const killed = await startKillableApi(config)
  const headers = { host: acme.host, authorization: `Bearer ${acme.manager.accessToken}` }
  const [keyOfSales, keyOfSupport] = [{ 'idempotency-key': 'create-sales' }, { 'idempotency-key': 'create-support' }]
  const [sales, support] = [{ name: 'Sales' }, { name: 'Support' }]
  /** Returns the seconds until the lease of the interrupted request ends. */
  const readLease = async (): Promise<number> => {
    const { rows } = await acme.sql(
      `select extract(epoch from lease_until - clock_timestamp())::float8 as seconds
       from platform.idempotency_keys where tenant_id = $1 and status is null`,
      [acme.id],
    )
    return rows[0]?.seconds
  }

  const held = { ...headers, ...keyOfSupport, 'x-kill': 'hold-before-transaction' }
  const interrupted = assert.rejects(killed.send('POST', '/api/teams/', held, support), /socket hang up|ECONNRESET/)
  await waitForValue(readLease, Boolean)
  const failed = killed.send('POST', '/api/teams/', { ...headers, ...keyOfSales, 'x-kill': 'before-response' }, sales)
  await assert.rejects(failed, /socket hang up|ECONNRESET/)
  await interrupted
  if (killed.child.signalCode === null) await once(killed.child, 'exit')
  const repeated = await acme.manager.post('/api/teams/', sales, keyOfSales)

  const leaseBefore = await readLease()
  const tooEarly = await acme.manager.post('/api/teams/', support, keyOfSupport)
  const leaseAfter = await readLease()
  await acme.sql('update platform.idempotency_keys set lease_until = now() where tenant_id = $1', [acme.id])
  const takenOver = await acme.manager.post('/api/teams/', support, keyOfSupport)

  const { rows } = await acme.sql(`select id from identity.teams where tenant_id = $1 and name = 'Sales'`, [acme.id])
  assert.equal(killed.child.signalCode, 'SIGKILL')
  assert.equal(rows.length, 1)
  assert.equal(repeated.status, 201)
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
  assert.equal(repeated.headers.location, `/api/teams/${rows[0].id}`)
  assert.partialDeepStrictEqual(repeated.body, { id: rows[0].id, name: 'Sales', version: 1 })
  const retryAfter = Number(tooEarly.headers['retry-after'])
  assert.equal(tooEarly.status, 409)
  assert.ok(retryAfter <= Math.ceil(leaseBefore) && retryAfter >= Math.ceil(leaseAfter), `${retryAfter}`)
  assert.deepEqual([takenOver.status, takenOver.headers['idempotency-replayed']], [201, undefined])
  assert.deepEqual(await acme.events(), ['team.created', 'team.created'])
})

test('a request that stops the event loop ends the process, and the log names its route and workspace', async () => {
  const acme = await tenant()
  const { child, send } = await startKillableApi({ ...config, WATCHDOG_SECONDS: 2 })
  const ended = once(child, 'exit')
  const output = child.stdout.toArray()
  const headers = { host: acme.host, authorization: `Bearer ${acme.member.accessToken}` }
  const frozen = send('POST', '/api/leads/', { ...headers, 'x-kill': 'freeze' }, { last_name: 'Moss' }).catch(
    () => null,
  )

  const [, signal] = await ended
  await frozen
  const [line] = Buffer.concat(await output)
    .toString()
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))

  assert.equal(signal, 'SIGKILL')
  assert.partialDeepStrictEqual(line, { level: 'fatal', route: 'POST /api/leads/', tenant_id: acme.id })
  assert.match(line.stack[0], /^freeze /)
  assert.doesNotMatch(JSON.stringify(line), /Moss/)
})
