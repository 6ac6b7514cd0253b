import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { mapConcurrently } from '#platform/concurrency'
import { startTestApp, waitForValue } from '#testing'
import { createDisconnectingClients, stages } from './disconnecting-clients.fixture.ts'

type LogLine = { msg: string; level: string; reqId?: string; res?: { status: number }; client_disconnected?: true }

const send = createDisconnectingClients()
const lines: LogLine[] = []
const { app, tenant, owner } = await startTestApp(
  { LOG_LEVEL: 'info' },
  { onLine: (line) => void lines.push(JSON.parse(line)) },
)
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const requestLines = () => lines.filter(({ msg }) => msg === 'request completed')
const createHeaders = (acme: { host: string; manager: { accessToken: string } }) => ({
  host: acme.host,
  authorization: `Bearer ${acme.manager.accessToken}`,
})

test('clients that disconnect during 200 requests with a key leave no lease, no gap in the log and no double effect', async () => {
  const acme = await tenant()
  await owner.query(`
    create function public.wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.02); return new; end $$;
    create trigger wait before insert on identity.teams for each row execute function public.wait()`)
  await acme.manager.post('/api/teams/', { name: 'Taken' })
  const headers = createHeaders(acme)
  // Every tenth request is rejected, because its name is taken.
  const requests = Array.from({ length: 200 }, (_, n) => ({
    id: `request-${n}`,
    stage: stages[n % stages.length]!,
    method: 'POST' as const,
    path: '/api/teams/',
    headers: { ...headers, 'idempotency-key': `key-${n}` },
    body: { name: n % 10 === 9 ? 'Taken' : `Team ${n}` },
    delayMs: n % 25,
  }))

  await mapConcurrently(requests, 16, (request) => send(port, request))
  const logged = await waitForValue(
    () => new Map(requestLines().map((line) => [line.reqId!, line])),
    (entries) => requests.every(({ id }) => entries.has(id)),
  )
  const { rows: openLeases } = await acme.sql('select key from platform.idempotency_keys where status is null')
  const { rows: teams } = await acme.sql('select id, name from identity.teams where tenant_id = $1', [acme.id])
  const idByName = new Map(teams.map(({ id, name }) => [name, id]))
  const replies = await mapConcurrently(requests, 8, ({ body, headers: { 'idempotency-key': key } }) =>
    acme.manager.post('/api/teams/', body, { 'idempotency-key': key! }),
  )

  assert.deepEqual(openLeases, [])
  assert.equal(requestLines().filter(({ reqId }) => reqId?.startsWith('request-')).length, 200)
  for (const [n, { id, stage, body }] of requests.entries()) {
    const [line, reply] = [logged.get(id)!, replies[n]!]
    const isTaken = body.name === 'Taken'
    // The body is read after `onRequest`.
    const isIncomplete = stage === 'body' || stage === 'onRequest'
    const wasCommitted = !isTaken && idByName.has(body.name)
    const name = `${id} at ${stage}`
    if (stage !== 'transaction') assert.equal(line.client_disconnected, true, name)
    assert.equal(line.res?.status, isIncomplete ? 422 : isTaken ? 409 : 201, name)
    assert.equal(wasCommitted, line.res?.status === 201, name)
    assert.equal(reply.status, isTaken ? 409 : 201, name)
    assert.equal(reply.headers['idempotency-replayed'], wasCommitted ? 'true' : undefined, name)
    if (wasCommitted) assert.equal(reply.body.id, idByName.get(body.name), name)
  }
  const events = await acme.events()
  assert.equal(events.filter((type) => type === 'team.created').length, 1 + 180)
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error'),
    [],
  )
})

test('a request without a response body is logged after a disconnect', async () => {
  const acme = await tenant()
  const { body: team } = await acme.manager.post('/api/teams/', { name: 'Sales' })

  const request = { id: 'delete', stage: 'preHandler', method: 'DELETE', path: `/api/teams/${team.id}` } as const
  await send(port, { ...request, headers: createHeaders(acme) })

  const line = await waitForValue(() => requestLines().find(({ reqId }) => reqId === 'delete'), Boolean)
  assert.partialDeepStrictEqual(line, { res: { status: 204 }, client_disconnected: true })
})
