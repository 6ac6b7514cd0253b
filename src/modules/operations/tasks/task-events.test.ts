import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskStatus } from '#platform/tasks'
import type { Person } from '#testing'
import { readEvents } from './event-reader.stand-in.ts'
import { actorFor, startTasksApp, until } from './tasks.fixture.ts'

const { app, clock, tenant, owner, startWorker, startRows, services } = await startTasksApp()
await startWorker()
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

type Workspace = Awaited<ReturnType<typeof tenant>>
const follow = (acme: Workspace, person: Person, taskId: string, more: Record<string, string> = {}) =>
  readEvents(port, `/api/tasks/${taskId}/events`, {
    ...{ host: acme.host, authorization: `Bearer ${person.accessToken}` },
    ...more,
  })

test('identity-8-5 a stream tells progress and one end, then ends; whoever comes back hears nothing twice', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 300, batch_size: 5, pause_ms: 40 })

  const first = await follow(acme, acme.member, task.task_id)
  await until(
    async () => first.events.length,
    (count) => count >= 2,
  )
  first.leave()
  const lastId = first.events.at(-1)!.id!
  const second = await follow(acme, acme.member, task.task_id, { 'last-event-id': lastId })
  await second.ended
  const late = await follow(acme, acme.member, task.task_id, { 'last-event-id': second.events.at(-1)!.id! })

  const told = [...first.events, ...second.events]
  const ids = told.map(({ id }) => Number(id))
  assert.match(first.headers['content-type']!, /^text\/event-stream/)
  assert.equal(first.headers['cache-control'], 'no-store')
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((one, other) => one - other),
  )
  assert.ok(told.filter(({ name }) => name === 'progress').length >= 2)
  assert.equal(told.filter(({ name }) => name === 'done').length, 1)
  assert.partialDeepStrictEqual(told.at(-1)!.data, { state: 'succeeded', progress: { done: 300, total: 300 } })
  assert.equal(late.status, 204)
})

test('a stream tells at most two things a second', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 400, batch_size: 2, pause_ms: 5 })

  const stream = await follow(acme, acme.member, task.task_id)
  await stream.ended

  const progress = stream.events.filter(({ name }) => name === 'progress').slice(1)
  const pauses = progress.slice(1).map(({ atMs }, index) => atMs - progress[index]!.atMs)
  assert.ok(progress.length >= 2)
  assert.ok(Math.min(...pauses) > 400, `two events came ${Math.min(...pauses)} ms apart`)
})

test('a task that has ended is told in one event', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 5 })
  await until(
    async () => (await acme.member.get(task.status_url)).body.state,
    (state) => state === 'succeeded',
  )

  const stream = await follow(acme, acme.admin, task.task_id)
  await stream.ended

  assert.deepEqual(
    stream.events.map(({ name }) => name),
    ['done'],
  )
})

test('identity-8-6 a stream ends within 15 seconds of the end of its session', { timeout: 40_000 }, async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 10_000, batch_size: 1, pause_ms: 50 })
  const stream = await follow(acme, acme.member, task.task_id)
  await until(
    async () => stream.events.length,
    (count) => count >= 1,
  )

  await acme.member.post('/api/auth/logout')
  const tookMs = await stream.ended
  const progressAfter = await acme.admin.get(task.status_url)
  await acme.admin.post(`/api/tasks/${task.task_id}/cancel`)

  assert.ok(tookMs < 17_000, `it took ${tookMs} ms`)
  assert.equal(stream.events.at(-1)?.name, 'unauthorized')
  assert.ok(stream.beats.length >= 1)
  assert.equal(progressAfter.body.state, 'running')
})

test('a stream ends with the token it was opened with', { timeout: 40_000 }, async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.admin), { rows: 2_000, batch_size: 1, pause_ms: 50 })
  clock.advance(15 * 60 - 2)

  const stream = await follow(acme, acme.admin, task.task_id)
  const tookMs = await stream.ended
  const admin = await acme.signIn(acme.admin.userId)
  await admin.post(`/api/tasks/${task.task_id}/cancel`)

  assert.equal(stream.events.at(-1)?.name, 'unauthorized')
  assert.ok(tookMs > 2_000 && tookMs < 12_000, `it took ${tookMs} ms`)
})

test('others get no stream, and nobody more than five at once', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 2_000, batch_size: 1, pause_ms: 50 })

  const foreign = await follow(acme, colleague, task.task_id)
  const streams = []
  for (let n = 0; n < 6; n++) streams.push(await follow(acme, acme.member, task.task_id))
  streams[0]!.leave()
  await sleep(300)
  const instead = await follow(acme, acme.member, task.task_id)
  for (const stream of [...streams, instead]) stream.leave()
  await acme.member.post(`/api/tasks/${task.task_id}/cancel`)

  assert.equal(foreign.status, 404)
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429],
  )
  assert.equal(streams[5]!.headers['retry-after'], '15')
  assert.equal(instead.status, 200)
})

test('all streams of a process share one connection that listens, and go on without it', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 300, batch_size: 5, pause_ms: 100 })
  const ears = `select pid from pg_stat_activity where query ilike 'listen%' and datname = current_database()`
  const before = (await owner.query(ears)).rows.length

  const streams = [
    await follow(acme, acme.member, task.task_id),
    await follow(acme, acme.admin, task.task_id),
    await follow(acme, acme.admin, task.task_id),
  ]
  await until(
    async () => streams[2]!.events.length,
    (count) => count >= 2,
  )
  const after = (await owner.query(ears)).rows.length
  await owner.query(`select pg_terminate_backend(pid) from (${ears}) ears`)
  const heardMs = streams[0]!.events.at(-1)!.atMs
  await until(
    async () => streams[0]!.events.at(-1)!.atMs,
    (atMs) => atMs > heardMs + 1_200,
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

test('a process that stops ends its streams at once', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 2_000, batch_size: 1, pause_ms: 50 })
  const stream = await follow(acme, acme.member, task.task_id)
  await until(
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
