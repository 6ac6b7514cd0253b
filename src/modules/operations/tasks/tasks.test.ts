import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { inTenant } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { runScheduleNow } from '#platform/jobs'
import { defineTask, handleTask, startTask } from '#platform/tasks'
import type { Person } from '#testing'
import type { Answer } from '../../../testing/client.ts'
import { operations } from '../operations.module.ts'
import { doingRows, rowsByTimes } from './rows-task.stand-in.ts'
import { actorFor, startTasksApp, until } from './tasks.fixture.ts'

const refuse = defineTask('test.refuse', 'bulk', Type.Object({}))
const explode = defineTask('test.explode', 'bulk', Type.Object({}))
const { tenant, owner, db, clock, services, startWorker, startRows } = await startTasksApp()
await startWorker(
  [
    doingRows,
    handleTask(refuse, async () => {
      throw conflict('pipeline_closed', 'The pipeline is closed. Open it, then start again.')
    }),
    handleTask(explode, async () => {
      throw new Error('connect to 10.0.0.7 failed with password hunter2')
    }),
  ],
  { schedules: operations.schedules!(services) },
)

const statusOf = (person: Person, task: { status_url: string }) => async () => (await person.get(task.status_url)).body
const isState = (state: string) => (task: Answer['body']) => task.state === state

test('identity-8-1 a bulk of 500 goes from queued through running to succeeded, and its progress never falls', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member))
  const seen: Answer['body'][] = []

  await until(async () => seen[seen.push(await statusOf(acme.member, task)()) - 1], isState('succeeded'))

  const states = [...new Set(seen.map(({ state }) => state))]
  const dones = seen.map(({ progress }) => progress.done)
  assert.deepEqual(
    states.filter((state) => state !== 'queued'),
    ['running', 'succeeded'],
  )
  assert.deepEqual(
    dones,
    dones.toSorted((one, other) => one - other),
  )
  assert.ok(new Set(dones).size > 2)
  assert.partialDeepStrictEqual(seen.at(-1), {
    task_id: task.task_id,
    kind: 'test.do_rows',
    title: 'Do 500 rows',
    progress: { done: 500, total: 500 },
    result: { rows_done: 500 },
    error: null,
    cancellable: false,
  })
  assert.deepEqual(await rowsByTimes(owner, acme.id), { 1: 500 })
  assert.deepEqual(await acme.events(), ['task.succeeded'])
})

test('identity-8-3 another member does not see the task, an admin does, another workspace does not', async () => {
  const acme = await tenant()
  const stranger = (await tenant()).admin
  const colleague = await acme.person('member')
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 25 })
  const asks = [acme.member, acme.admin, colleague, acme.manager, stranger]

  const read = await Promise.all(asks.map((person) => person.get(task.status_url)))
  const cancelled = await Promise.all(
    [colleague, acme.manager, stranger].map((person) => person.post(`/api/tasks/${task.task_id}/cancel`)),
  )
  const listed = await Promise.all(asks.map((person) => person.get('/api/tasks/')))

  assert.deepEqual(
    read.map(({ status }) => status),
    [200, 200, 404, 404, 404],
  )
  assert.deepEqual(
    cancelled.map(({ status }) => status),
    [404, 404, 404],
  )
  assert.deepEqual(
    listed.map(({ body }) => body.total),
    [1, 1, 0, 0, 0],
  )
})

test('identity-8-4 an id that is none is refused, an unknown one is not found', async () => {
  const { member } = await tenant()

  const malformed = await member.get('/api/tasks/abc/status')
  const unknown = await member.get(`/api/tasks/${newId()}/status`)

  assert.equal(malformed.status, 422)
  assert.equal(malformed.body.errors[0].path, '/task_id')
  assert.equal(unknown.status, 404)
})

test('identity-8-7 a running task is cancelled after the batch at hand and what is done stays; a second time is refused', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 400, batch_size: 10, pause_ms: 100 })
  const cancel = () => acme.member.post(`/api/tasks/${task.task_id}/cancel`)
  await until(statusOf(acme.member, task), ({ progress }) => progress.done > 0)

  const asked = await cancel()
  const ended = await until(statusOf(acme.member, task), isState('cancelled'))
  const again = await cancel()

  const rows = await rowsByTimes(owner, acme.id)
  assert.equal(asked.status, 200)
  assert.partialDeepStrictEqual(asked.body, { state: 'running', cancellable: false })
  assert.ok(ended.progress.done > 0 && ended.progress.done < 400)
  assert.deepEqual(ended.result, { rows_done: ended.progress.done })
  assert.deepEqual(rows, { 0: 400 - ended.progress.done, 1: ended.progress.done })
  assert.equal(again.status, 409)
  assert.equal(again.body.code, 'task_finished')
  assert.deepEqual(await acme.events(), ['task.cancelled'])
  assert.deepEqual(await acme.audit(), ['task.cancelled'])
})

test('a task that has not begun is cancelled at once and never runs', async () => {
  const acme = await tenant()
  const slow = { rows: 200, batch_size: 5, pause_ms: 100 }
  const [first, second, third] = [
    await startRows(acme.id, actorFor(acme.id, acme.member), slow),
    await startRows(acme.id, actorFor(acme.id, acme.member), slow),
    await startRows(acme.id, actorFor(acme.id, acme.member), slow),
  ]
  const cancel = ({ task_id }: typeof first) => acme.member.post(`/api/tasks/${task_id}/cancel`)
  for (const task of [first, second]) await until(statusOf(acme.member, task), isState('running'))

  const cancelled = await cancel(third)
  for (const task of [first, second]) await cancel(task)
  for (const task of [first, second]) await until(statusOf(acme.member, task), isState('cancelled'))
  await sleep(1_000)

  assert.equal(cancelled.body.state, 'cancelled')
  assert.partialDeepStrictEqual(await statusOf(acme.member, third)(), { started_at: null, progress: { done: 0 } })
  assert.equal((await acme.events()).length, 3)
})

test('identity-8-8 a task that is refused fails at once with the code of the refusal', async () => {
  const acme = await tenant()
  const by = actorFor(acme.id, acme.member)

  const task = await inTenant(db, by, (tx) => startTask(tx, refuse, {}, { title: 'Refuse' }))
  const failed = await until(statusOf(acme.member, task), isState('failed'))

  assert.deepEqual(failed.error, {
    code: 'pipeline_closed',
    message: 'The pipeline is closed. Open it, then start again.',
  })
  assert.deepEqual(await acme.events(), ['task.failed'])
})

test('identity-8-8 a task that breaks is tried five times, then fails without a word about why', async () => {
  const acme = await tenant()
  const by = actorFor(acme.id, acme.member)
  const states = new Set<string>()

  const task = await inTenant(db, by, (tx) => startTask(tx, explode, {}, { title: 'Explode' }))
  const failed = await until(
    async () => {
      await owner.query(`update pgboss.job_common set start_after = now() where state = 'retry' and group_id = $1`, [
        acme.id,
      ])
      const { text, body } = await acme.member.get(task.status_url)
      states.add(body.state)
      return { text, body }
    },
    ({ body }) => body.state === 'failed',
  )

  const { rows } = await owner.query('select attempt from platform.background_tasks where id = $1', [task.task_id])
  assert.equal(failed.body.error.code, 'internal_error')
  assert.doesNotMatch(failed.text, /hunter2|10\.0\.0\.7|Error:|\.ts/)
  assert.equal(rows[0].attempt, 5)
  assert.ok(states.has('queued'))
  assert.deepEqual(await acme.events(), ['task.failed'])
})

test('identity-8-9 what an API key started is seen by the session of its creator', async () => {
  const acme = await tenant()
  const { body: created } = await acme.member.post('/api/api-keys', { name: 'Bulk', scopes: ['tasks.read'] })
  const key = { ...actorFor(acme.id, acme.member), type: 'api_key' as const, sessionId: null, apiKeyId: created.id }

  const task = await startRows(acme.id, key, { rows: 10 })
  const seen = await acme.member.get(task.status_url)
  const seenByKey = await acme.bearer(`ApiKey ${created.key}`).get(task.status_url)

  const { rows } = await owner.query('select created_via from platform.background_tasks where id = $1', [task.task_id])
  assert.equal(seen.status, 200)
  assert.equal(seenByKey.status, 200)
  assert.equal(rows[0].created_via, 'api_key')
})

test('identity-8-10 a task is there for 30 days after its end and gone on the 31st', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 10 })
  await until(statusOf(acme.member, task), isState('succeeded'))
  const daysLater = async (days: number) => {
    clock.advance(days * 86_400)
    await runScheduleNow('platform.drop_tasks')
    await sleep(1_500)
    return await (await acme.signIn(acme.member.userId)).get(task.status_url)
  }

  const kept = await daysLater(29)
  const gone = await daysLater(2)

  assert.equal(kept.status, 200)
  assert.equal(gone.status, 404)
})

test('an open task tells when to ask again, less often the older it is', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.member), { rows: 100, batch_size: 5, pause_ms: 200 })
  const retryAfter = async (ageSeconds: number) => {
    const createdAt = new Date(clock.now().getTime() - ageSeconds * 1_000)
    await owner.query('update platform.background_tasks set created_at = $2 where id = $1', [task.task_id, createdAt])
    return (await acme.member.get(task.status_url)).headers['retry-after']
  }

  const told = [await retryAfter(1), await retryAfter(30), await retryAfter(300)]
  await acme.member.post(`/api/tasks/${task.task_id}/cancel`)
  await until(statusOf(acme.member, task), isState('cancelled'))

  assert.deepEqual(told, ['1', '2', '5'])
  assert.equal(await retryAfter(1), undefined)
})

test('tasks are listed newest first, by state and kind, page by page', async () => {
  const acme = await tenant()
  const by = actorFor(acme.id, acme.member)
  const started = []
  for (let n = 0; n < 3; n++) started.push(await startRows(acme.id, by, { rows: 5 }))
  const refused = await inTenant(db, by, (tx) => startTask(tx, refuse, {}, { title: 'Refuse' }))
  for (const task of started) await until(statusOf(acme.member, task), isState('succeeded'))
  await until(statusOf(acme.member, refused), isState('failed'))
  const idsOf = ({ body }: Answer) => body.items.map(({ task_id }: { task_id: string }) => task_id)
  const newestFirst = [...started, refused].map(({ task_id }) => task_id).toReversed()

  const all = await acme.member.get('/api/tasks/')
  const page = await acme.member.get('/api/tasks/?limit=2')
  const rest = await acme.member.get(`/api/tasks/?limit=2&cursor=${page.body.next_cursor}`)
  const failed = await acme.member.get('/api/tasks/?state=failed,cancelled')
  const ofKind = await acme.admin.get('/api/tasks/?kind=test.do_rows&state=succeeded')
  const unknown = await acme.member.get('/api/tasks/?state=sleeping')

  assert.deepEqual(idsOf(all), newestFirst)
  assert.equal(all.headers['x-total-count'], '4')
  assert.deepEqual([...idsOf(page), ...idsOf(rest)], newestFirst)
  assert.deepEqual(idsOf(failed), [refused.task_id])
  assert.deepEqual(idsOf(ofKind), newestFirst.slice(1))
  assert.equal(unknown.status, 422)
})

test('whoever may only read cannot cancel, and nobody sees tasks without signing in', async () => {
  const acme = await tenant()
  const task = await startRows(acme.id, actorFor(acme.id, acme.viewer), { rows: 5 })

  const refused = await acme.viewer.post(`/api/tasks/${task.task_id}/cancel`)
  const unknown = await acme.anonymous.get(task.status_url)

  assert.equal(refused.body.required_scope, 'tasks.write')
  assert.equal(unknown.status, 401)
})
