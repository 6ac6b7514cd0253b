import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskStatus } from '#platform/tasks'
import type { TestUser } from '#testing'
import { waitForValue } from '#testing'
import { readEvents } from './event-reader.stand-in.ts'
import { actorFor, startTasksApp } from './tasks.fixture.ts'

const { app, clock, tenant, owner, startWorker, startRowsTask, services } = await startTasksApp()
await startWorker()
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

type TestTenant = Awaited<ReturnType<typeof tenant>>
const streamEvents = (acme: TestTenant, user: TestUser, taskId: string, headers: Record<string, string> = {}) =>
  readEvents(port, `/api/tasks/${taskId}/events`, {
    host: acme.host,
    authorization: `Bearer ${user.accessToken}`,
    ...headers,
  })

test('identity-8-5 a stream sends progress and one end event, and a client that reconnects receives no event twice', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), { rows: 300, batch_size: 5, pause_ms: 40 })

  const first = await streamEvents(acme, acme.member, task.task_id)
  await waitForValue(
    async () => first.events.length,
    (count) => count >= 2,
  )
  first.disconnect()
  const lastId = first.events.at(-1)!.id!
  const second = await streamEvents(acme, acme.member, task.task_id, { 'last-event-id': lastId })
  await second.ended
  const late = await streamEvents(acme, acme.member, task.task_id, { 'last-event-id': second.events.at(-1)!.id! })

  const events = [...first.events, ...second.events]
  const ids = events.map(({ id }) => Number(id))
  assert.match(first.headers['content-type']!, /^text\/event-stream/)
  assert.equal(first.headers['cache-control'], 'no-store')
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((one, other) => one - other),
  )
  assert.ok(events.filter(({ name }) => name === 'progress').length >= 2)
  assert.equal(events.filter(({ name }) => name === 'done').length, 1)
  assert.partialDeepStrictEqual(events.at(-1)!.data, { state: 'succeeded', progress: { done: 300, total: 300 } })
  assert.equal(late.status, 204)
})

test('a stream sends at most two events per second', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), { rows: 400, batch_size: 2, pause_ms: 5 })

  const stream = await streamEvents(acme, acme.member, task.task_id)
  await stream.ended

  const progress = stream.events.filter(({ name }) => name === 'progress').slice(1)
  assert.ok(progress.length >= 2)
  // One event may arrive late on a busy machine.
  const ms = progress.at(-1)!.atMs - progress[0]!.atMs
  assert.ok(ms > (progress.length - 2) * 500, `${progress.length} events came within ${ms} ms`)
})

test('the stream of a finished task has one event', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), { rows: 5 })
  await waitForValue(
    async () => (await acme.member.get(task.status_url)).body.state,
    (state) => state === 'succeeded',
  )

  const stream = await streamEvents(acme, acme.admin, task.task_id)
  await stream.ended

  assert.deepEqual(
    stream.events.map(({ name }) => name),
    ['done'],
  )
})

test('identity-8-6 a stream ends within 15 seconds after its session was revoked', { timeout: 40_000 }, async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), {
    rows: 10_000,
    batch_size: 1,
    pause_ms: 50,
  })
  const stream = await streamEvents(acme, acme.member, task.task_id)
  await waitForValue(
    async () => stream.events.length,
    (count) => count >= 1,
  )

  await acme.member.post('/api/auth/logout')
  const heartbeats = stream.heartbeats.length
  await stream.ended
  const progressAfter = await acme.admin.get(task.status_url)
  await acme.admin.post(`/api/tasks/${task.task_id}/cancel`)

  // The session is checked with every heartbeat, each 15 seconds; one may have been sent just before.
  assert.ok(stream.heartbeats.length - heartbeats <= 1)
  assert.equal(stream.events.at(-1)?.name, 'unauthorized')
  assert.ok(stream.heartbeats.length >= 1)
  assert.equal(progressAfter.body.state, 'running')
})

test('a stream ends when its access token expires', { timeout: 40_000 }, async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.admin), { rows: 2_000, batch_size: 1, pause_ms: 50 })
  clock.advance(15 * 60 - 2)

  const stream = await streamEvents(acme, acme.admin, task.task_id)
  const tookMs = await stream.ended
  const admin = await acme.signIn(acme.admin.userId)
  await admin.post(`/api/tasks/${task.task_id}/cancel`)

  assert.equal(stream.events.at(-1)?.name, 'unauthorized')
  assert.ok(tookMs > 2_000 && tookMs < 12_000, `it took ${tookMs} ms`)
})

test('other users cannot open a stream, and a user can open at most five', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), {
    rows: 2_000,
    batch_size: 1,
    pause_ms: 50,
  })

  const foreign = await streamEvents(acme, colleague, task.task_id)
  const streams = []
  for (let n = 0; n < 6; n++) streams.push(await streamEvents(acme, acme.member, task.task_id))
  streams[0]!.disconnect()
  await sleep(300)
  const replacement = await streamEvents(acme, acme.member, task.task_id)
  for (const stream of [...streams, replacement]) stream.disconnect()
  await acme.member.post(`/api/tasks/${task.task_id}/cancel`)

  assert.equal(foreign.status, 404)
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429],
  )
  assert.equal(streams[5]!.headers['retry-after'], '15')
  assert.equal(replacement.status, 200)
})

test('all streams of a process share one LISTEN connection and continue when it is lost', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), { rows: 300, batch_size: 5, pause_ms: 100 })
  const listeners = `select pid from pg_stat_activity where query ilike 'listen%' and datname = current_database()`
  const before = (await owner.query(listeners)).rows.length

  const streams = [
    await streamEvents(acme, acme.member, task.task_id),
    await streamEvents(acme, acme.admin, task.task_id),
    await streamEvents(acme, acme.admin, task.task_id),
  ]
  await waitForValue(
    async () => streams[2]!.events.length,
    (count) => count >= 2,
  )
  const after = (await owner.query(listeners)).rows.length
  await owner.query(`select pg_terminate_backend(pid) from (${listeners}) listeners`)
  const lastEventMs = streams[0]!.events.at(-1)!.atMs
  await waitForValue(
    async () => streams[0]!.events.at(-1)!.atMs,
    (atMs) => atMs > lastEventMs + 1_200,
  )
  await Promise.all(streams.map(({ ended }) => ended))

  assert.ok(after <= before + 1)
  for (const { events } of streams) {
    const dones = events.map(({ data }) => (data as TaskStatus).progress.done)
    assert.deepEqual(
      dones,
      dones.toSorted((one, other) => one - other),
    )
    assert.equal(events.at(-1)!.name, 'done')
  }
})

test('a stopping process ends its streams immediately', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), {
    rows: 2_000,
    batch_size: 1,
    pause_ms: 50,
  })
  const stream = await streamEvents(acme, acme.member, task.task_id)
  await waitForValue(
    async () => stream.events.length,
    (count) => count >= 1,
  )

  const start = performance.now()
  const closed = once(app.server, 'close')
  await app.close()
  await Promise.all([closed, stream.ended])

  assert.ok(performance.now() - start < 2_000)
  assert.equal(services.lifecycle.state, 'draining')
})
