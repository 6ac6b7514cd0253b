import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { inTenant } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { runScheduleNow } from '#platform/jobs'
import { defineTask, defineTaskHandler, startTask } from '#platform/tasks'
import type { TestUser } from '#testing'
import { waitForValue } from '#testing'
import type { TestResponse } from '../../../testing/client.ts'
import { operations } from '../operations.module.ts'
import { countRowsByTimes, processRowsHandler } from './rows-task.stand-in.ts'
import { actorFor, startTasksApp } from './tasks.fixture.ts'

const rejectedTask = defineTask('test.reject', 'bulk', Type.Object({}))
const crashingTask = defineTask('test.crash', 'bulk', Type.Object({}))
const { tenant, owner, db, clock, services, startWorker, startRowsTask } = await startTasksApp()
await startWorker(
  [
    processRowsHandler,
    defineTaskHandler(rejectedTask, async () => {
      throw conflict('pipeline_closed', 'The pipeline is closed. Open it, then start again.')
    }),
    defineTaskHandler(crashingTask, async () => {
      throw new Error('connect to 10.0.0.7 failed with password hunter2')
    }),
  ],
  { schedules: operations.schedules!(services) },
)

const statusOf = (user: TestUser, task: { status_url: string }) => async () => (await user.get(task.status_url)).body
const isState = (state: string) => (task: TestResponse['body']) => task.state === state

test('identity-8-1 a bulk of 500 goes from queued through running to succeeded, and its progress never decreases', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member))
  const seen: TestResponse['body'][] = []

  await waitForValue(async () => seen[seen.push(await statusOf(acme.member, task)()) - 1], isState('succeeded'))

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
    kind: 'test.process_rows',
    title: 'Process 500 rows',
    progress: { done: 500, total: 500 },
    result: { rows_done: 500 },
    error: null,
    cancellable: false,
  })
  assert.deepEqual(await countRowsByTimes(owner, acme.id), { 1: 500 })
  assert.deepEqual(await acme.events(), ['task.succeeded'])
})

test('identity-8-3 another member does not see the task, an admin does, another workspace does not', async () => {
  const acme = await tenant()
  const otherAdmin = (await tenant()).admin
  const colleague = await acme.person('member')
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), { rows: 25 })
  const callers = [acme.member, acme.admin, colleague, acme.manager, otherAdmin]

  const read = await Promise.all(callers.map((user) => user.get(task.status_url)))
  const cancelled = await Promise.all(
    [colleague, acme.manager, otherAdmin].map((user) => user.post(`/api/tasks/${task.task_id}/cancel`)),
  )
  const listed = await Promise.all(callers.map((user) => user.get('/api/tasks/')))

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

test('identity-8-4 a malformed id is rejected and an unknown one is not found', async () => {
  const { member } = await tenant()

  const malformed = await member.get('/api/tasks/abc/status')
  const unknown = await member.get(`/api/tasks/${newId()}/status`)

  assert.equal(malformed.status, 422)
  assert.equal(malformed.body.errors[0].path, '/task_id')
  assert.equal(unknown.status, 404)
})

test('identity-8-7 a running task is cancelled after its current batch and keeps its changes; a second cancel is rejected', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), {
    rows: 400,
    batch_size: 10,
    pause_ms: 100,
  })
  const cancel = () => acme.member.post(`/api/tasks/${task.task_id}/cancel`)
  await waitForValue(statusOf(acme.member, task), ({ progress }) => progress.done > 0)

  const first = await cancel()
  const ended = await waitForValue(statusOf(acme.member, task), isState('cancelled'))
  const second = await cancel()

  const rows = await countRowsByTimes(owner, acme.id)
  assert.equal(first.status, 200)
  assert.partialDeepStrictEqual(first.body, { state: 'running', cancellable: false })
  assert.ok(ended.progress.done > 0 && ended.progress.done < 400)
  assert.deepEqual(ended.result, { rows_done: ended.progress.done })
  assert.deepEqual(rows, { 0: 400 - ended.progress.done, 1: ended.progress.done })
  assert.equal(second.status, 409)
  assert.equal(second.body.code, 'task_finished')
  assert.deepEqual(await acme.events(), ['task.cancelled'])
  assert.deepEqual(await acme.audit(), ['task.cancelled'])
})

test('a queued task is cancelled immediately and never runs', async () => {
  const acme = await tenant()
  const slow = { rows: 200, batch_size: 5, pause_ms: 100 }
  const [first, second, third] = [
    await startRowsTask(acme.id, actorFor(acme.id, acme.member), slow),
    await startRowsTask(acme.id, actorFor(acme.id, acme.member), slow),
    await startRowsTask(acme.id, actorFor(acme.id, acme.member), slow),
  ]
  const cancel = ({ task_id }: typeof first) => acme.member.post(`/api/tasks/${task_id}/cancel`)
  for (const task of [first, second]) await waitForValue(statusOf(acme.member, task), isState('running'))

  const cancelled = await cancel(third)
  for (const task of [first, second]) await cancel(task)
  for (const task of [first, second]) await waitForValue(statusOf(acme.member, task), isState('cancelled'))
  await sleep(1_000)

  assert.equal(cancelled.body.state, 'cancelled')
  assert.partialDeepStrictEqual(await statusOf(acme.member, third)(), { started_at: null, progress: { done: 0 } })
  assert.equal((await acme.events()).length, 3)
})

test('identity-8-8 a task that throws a rejection fails immediately with its error code', async () => {
  const acme = await tenant()
  const actor = actorFor(acme.id, acme.member)

  const task = await inTenant(db, actor, (tx) => startTask(tx, rejectedTask, {}, { title: 'Rejected' }))
  const failed = await waitForValue(statusOf(acme.member, task), isState('failed'))

  assert.deepEqual(failed.error, {
    code: 'pipeline_closed',
    message: 'The pipeline is closed. Open it, then start again.',
  })
  assert.deepEqual(await acme.events(), ['task.failed'])
})

test('identity-8-8 a task that crashes is tried five times, then fails without revealing the cause', async () => {
  const acme = await tenant()
  const actor = actorFor(acme.id, acme.member)
  const states = new Set<string>()

  const task = await inTenant(db, actor, (tx) => startTask(tx, crashingTask, {}, { title: 'Crash' }))
  const failed = await waitForValue(
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

test('identity-8-9 a task started by an API key is visible to the creator of the key', async () => {
  const acme = await tenant()
  const { body: created } = await acme.member.post('/api/api-keys', { name: 'Bulk', scopes: ['tasks.read'] })
  const key = { ...actorFor(acme.id, acme.member), type: 'api_key' as const, sessionId: null, apiKeyId: created.id }

  const task = await startRowsTask(acme.id, key, { rows: 10 })
  const seen = await acme.member.get(task.status_url)
  const seenByKey = await acme.bearer(`ApiKey ${created.key}`).get(task.status_url)

  const { rows } = await owner.query('select created_via from platform.background_tasks where id = $1', [task.task_id])
  assert.equal(seen.status, 200)
  assert.equal(seenByKey.status, 200)
  assert.equal(rows[0].created_via, 'api_key')
})

test('identity-8-10 a task is available for 30 days after its end and deleted on the 31st', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), { rows: 10 })
  await waitForValue(statusOf(acme.member, task), isState('succeeded'))
  const countRuns = async () => {
    const finished = `state = 'completed' and group_id = $1 and data ->> 'job' = 'platform.delete_tasks'`
    return (await owner.query(`select from pgboss.job_common where ${finished}`, [acme.id])).rows.length
  }
  const daysLater = async (days: number) => {
    clock.advance(days * 86_400)
    const runs = await countRuns()
    await runScheduleNow(services.jobQueue, 'platform.delete_tasks')
    await waitForValue(countRuns, (count) => count > runs)
    return await (await acme.signIn(acme.member.userId)).get(task.status_url)
  }

  const kept = await daysLater(29)
  const gone = await daysLater(2)

  assert.equal(kept.status, 200)
  assert.equal(gone.status, 404)
})

test('Retry-After of an open task increases with its age', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.member), { rows: 100, batch_size: 5, pause_ms: 200 })
  const retryAfter = async (ageSeconds: number) => {
    const createdAt = new Date(clock.now().getTime() - ageSeconds * 1_000)
    await owner.query('update platform.background_tasks set created_at = $2 where id = $1', [task.task_id, createdAt])
    return (await acme.member.get(task.status_url)).headers['retry-after']
  }

  const retryDelays = [await retryAfter(1), await retryAfter(30), await retryAfter(300)]
  await acme.member.post(`/api/tasks/${task.task_id}/cancel`)
  await waitForValue(statusOf(acme.member, task), isState('cancelled'))

  assert.deepEqual(retryDelays, ['1', '2', '5'])
  assert.equal(await retryAfter(1), undefined)
})

test('tasks are listed newest first, filtered by state and kind, and paginated', async () => {
  const acme = await tenant()
  const actor = actorFor(acme.id, acme.member)
  const started = []
  for (let n = 0; n < 3; n++) started.push(await startRowsTask(acme.id, actor, { rows: 5 }))
  const rejected = await inTenant(db, actor, (tx) => startTask(tx, rejectedTask, {}, { title: 'Rejected' }))
  for (const task of started) await waitForValue(statusOf(acme.member, task), isState('succeeded'))
  await waitForValue(statusOf(acme.member, rejected), isState('failed'))
  const idsOf = ({ body }: TestResponse) => body.items.map(({ task_id }: { task_id: string }) => task_id)
  const newestFirst = [...started, rejected].map(({ task_id }) => task_id).toReversed()

  const all = await acme.member.get('/api/tasks/')
  const page = await acme.member.get('/api/tasks/?limit=2')
  const rest = await acme.member.get(`/api/tasks/?limit=2&cursor=${page.body.next_cursor}`)
  const failed = await acme.member.get('/api/tasks/?state=failed,cancelled')
  const ofKind = await acme.admin.get('/api/tasks/?kind=test.process_rows&state=succeeded')
  const unknown = await acme.member.get('/api/tasks/?state=sleeping')

  assert.deepEqual(idsOf(all), newestFirst)
  assert.equal(all.headers['x-total-count'], '4')
  assert.deepEqual([...idsOf(page), ...idsOf(rest)], newestFirst)
  assert.deepEqual(idsOf(failed), [rejected.task_id])
  assert.deepEqual(idsOf(ofKind), newestFirst.slice(1))
  assert.equal(unknown.status, 422)
})

test('a user with read access cannot cancel a task, and an anonymous caller cannot see it', async () => {
  const acme = await tenant()
  const task = await startRowsTask(acme.id, actorFor(acme.id, acme.viewer), { rows: 5 })

  const denied = await acme.viewer.post(`/api/tasks/${task.task_id}/cancel`)
  const unknown = await acme.anonymous.get(task.status_url)

  assert.equal(denied.body.required_scope, 'tasks.write')
  assert.equal(unknown.status, 401)
})
