import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { inSystem, inTenant, type SystemTx, type TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import {
  createJobQueue,
  type JobContext,
  type JobHandler,
  listRunningPayloadValues,
  startJobWorker,
} from '#platform/jobs'
import { startTestDb, waitUntil } from '#testing'
import { failDeadLetteredTask } from './run-task.service.ts'
import { startTask } from './start-task.ts'
import { defineTask, maxInline, runInlineOrTask } from './task.ts'
import { defineTaskHandler } from './task-handler.ts'
import type { TaskContext } from './task-run.ts'
import { requeueLostTasks } from './tasks.queries.ts'

const { database, owner, db, systemDb } = await startTestDb()
const jobQueue = createJobQueue({ db, systemUrl: database.systemUrl })
await jobQueue.start()
after(jobQueue.stop)

const count = defineTask('test.count', 'bulk', Type.Object({}))
const silent = { info: () => {}, warn: () => {}, error: () => {} }

const start = (tenantId: string) =>
  inTenant(db, systemActor(tenantId), (tx) => startTask(tx, count, {}, { title: 'Count', total: 10 }))

/** Job context without a worker, so that a test controls when the job runs and when it is lost. */
const createTestJob = (tenantId: string, signal = new AbortController().signal): JobContext => ({
  tenantId,
  signal,
  attempt: 1,
  log: silent,
  requeue: async () => {},
  isPaused: async () => false,
  detach: () => {},
  inTenantAsSystem: () => Promise.reject(new Error('unused')),
  inTenant: <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(tenantId), work),
})

const run = (handler: JobHandler, job: JobContext, task_id: string) =>
  handler.run(job, { task_id, payload: {} } as never)

async function getRow(id: string) {
  const { rows } = await owner.query('select * from platform.background_tasks where id = $1', [id])
  return rows[0]
}

async function listEvents(tenantId: string): Promise<string[]> {
  const { rows } = await owner.query('select type from platform.outbox_events where tenant_id = $1 order by id', [
    tenantId,
  ])
  return rows.map(({ type }) => type)
}

test('a task and its job are created in the same transaction', async () => {
  const [acme, globex] = [newId(), newId()]

  await start(acme)
  const undone = inTenant(db, systemActor(globex), async (tx) => {
    await startTask(tx, count, {}, { title: 'Count' })
    throw new Error('changed my mind')
  })

  await assert.rejects(undone, /changed my mind/)
  const { rows } = await owner.query(
    `select t.tenant_id, count(*)::int as tasks,
       (select count(*)::int from pgboss.job_common where group_id = t.tenant_id::text) as jobs
     from platform.background_tasks t where tenant_id = any($1) group by 1`,
    [[acme, globex]],
  )
  assert.deepEqual(rows, [{ tenant_id: acme, tasks: 1, jobs: 1 }])
})

test('a run that was taken over can neither save, report progress nor finish', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  const frozen = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const first = defineTaskHandler(count, async (task: TaskContext<number>) => {
    task.reportProgress(3)
    started.resolve()
    await frozen.promise
    task.reportProgress(9)
    await task.inTenant((tx) => task.checkpoint.save(tx, 99))
  })
  const second = defineTaskHandler(count, async (task: TaskContext<number>) => {
    await task.inTenant((tx) => task.checkpoint.save(tx, 5))
    task.reportProgress(5)
    frozen.resolve()
    await assert.rejects(outcome, { name: 'TaskTakenOverError' })
    return { by: 'the second' }
  })

  const outcome = run(first, createTestJob(acme), task_id)
  outcome.catch(() => {})
  await started.promise
  await run(second, createTestJob(acme), task_id)

  const row = await getRow(task_id)
  assert.partialDeepStrictEqual(row, { state: 'succeeded', attempt: 2, checkpoint: 5, result: { by: 'the second' } })
  assert.equal(Number(row.progress_done), 5)
  assert.deepEqual(await listEvents(acme), ['task.succeeded'])
})

test('a batch is rolled back if its run has lost the task', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  const late = defineTaskHandler(count, async (task: TaskContext<number>) => {
    await owner.query('update platform.background_tasks set run_id = $2 where id = $1', [task_id, newId()])
    await task.inTenant(async (tx) => {
      await startTask(tx, count, {}, { title: 'Made by the batch' })
      await task.checkpoint.save(tx, 1)
    })
  })

  const outcome = run(late, createTestJob(acme), task_id)

  await assert.rejects(outcome, { name: 'TaskTakenOverError' })
  const { rows } = await owner.query('select title from platform.background_tasks where tenant_id = $1', [acme])
  assert.deepEqual(rows, [{ title: 'Count' }])
})

test('progress is written at most twice a second, is never lost and never decreases', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  const seen: { seq: number; done: number }[] = []
  const eager = defineTaskHandler(count, async (task) => {
    for (let done = 1; done <= 100; done++) {
      task.reportProgress(done, 100)
      const { seq, progress_done } = await getRow(task_id)
      seen.push({ seq: Number(seq), done: Number(progress_done) })
      await sleep(10)
    }
    task.reportProgress(40)
  })

  await run(eager, createTestJob(acme), task_id)

  const writes = new Set(seen.map(({ done }) => done)).size
  const row = await getRow(task_id)
  assert.ok(writes >= 2 && writes <= 2 + (seen.length * 40) / 500, `${writes} writes`)
  assert.equal(Number(row.progress_done), 100)
  assert.equal(Number(row.progress_total), 100)
})

test('an aborted run does not count as an attempt, a failed one does', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  const stopping = new AbortController()
  const working = defineTaskHandler(count, async (task) => {
    stopping.abort()
    await task.isCancelled()
  })
  const breaking = defineTaskHandler(count, async () => {
    throw new Error('boom')
  })

  await assert.rejects(run(working, createTestJob(acme, stopping.signal), task_id), { name: 'AbortError' })
  const released = await getRow(task_id)
  await assert.rejects(run(breaking, createTestJob(acme), task_id), /boom/)
  const broken = await getRow(task_id)

  assert.partialDeepStrictEqual(released, { state: 'queued', attempt: 0, run_id: null, error: null })
  assert.partialDeepStrictEqual(broken, { state: 'queued', attempt: 1, error: { code: 'internal_error' } })
})

test('server errors are retried, client errors are not, and are no errors of the log', async () => {
  const acme = newId()
  const failing = (status: number) =>
    defineTaskHandler(count, async () => {
      throw new AppError(status, 'some_code', 'Some words.')
    })
  const [busy, refused] = [await start(acme), await start(acme)]

  await assert.rejects(run(failing(503), createTestJob(acme), busy.task_id))
  const logged: string[] = []
  const log = { ...silent, info: () => logged.push('info'), error: () => logged.push('error') }
  await run(failing(422), { ...createTestJob(acme), log }, refused.task_id)

  assert.deepEqual(logged, ['info'])
  assert.equal((await getRow(busy.task_id)).state, 'queued')
  assert.partialDeepStrictEqual(await getRow(refused.task_id), {
    state: 'failed',
    error: { code: 'some_code', message: 'Some words.' },
  })
})

test('a task whose workers died at every attempt fails as stalled', async () => {
  const acme = newId()
  const [died, deadLettered] = [await start(acme), await start(acme)]
  await owner.query(
    `update platform.background_tasks set state = 'running', run_id = gen_random_uuid(), attempt = 5, started_at = now()
     where tenant_id = $1`,
    [acme],
  )
  let runs = 0
  const counting = defineTaskHandler(count, async () => {
    runs++
  })

  await run(counting, createTestJob(acme), died.task_id)
  await inTenant(db, systemActor(acme), (tx) => failDeadLetteredTask(tx, deadLettered.task_id))
  await inTenant(db, systemActor(acme), (tx) => failDeadLetteredTask(tx, deadLettered.task_id))

  assert.equal(runs, 0)
  for (const { task_id } of [died, deadLettered])
    assert.partialDeepStrictEqual(await getRow(task_id), { state: 'failed', error: { code: 'stalled' } })
  assert.deepEqual(await listEvents(acme), ['task.failed', 'task.failed'])
})

test('a repeated job of a finished task has no effect', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  let runs = 0
  const counting = defineTaskHandler(count, async () => ({ runs: ++runs }))

  await run(counting, createTestJob(acme), task_id)
  await run(counting, createTestJob(acme), task_id)

  assert.equal(runs, 1)
  assert.deepEqual(await listEvents(acme), ['task.succeeded'])
})

test('an oversized result is omitted and the task succeeds', async () => {
  const acme = newId()
  const [large, small] = [await start(acme), await start(acme)]
  const returning = (length: number) => defineTaskHandler(count, async () => ({ text: 'x'.repeat(length) }))

  await run(returning(64 * 1024), createTestJob(acme), large.task_id)
  await run(returning(60 * 1024), createTestJob(acme), small.task_id)

  assert.partialDeepStrictEqual(await getRow(large.task_id), { state: 'succeeded', result: { truncated: true } })
  assert.equal((await getRow(small.task_id)).result.text.length, 60 * 1024)
})

test('a running task whose job has no worker is requeued', async () => {
  const acme = newId()
  const [held, lost] = [await start(acme), await start(acme)]
  const release = Promise.withResolvers<void>()
  const holding = defineTaskHandler(count, async (task) => {
    if (task.taskId === held.task_id) await release.promise
  })
  await owner.query(
    `update pgboss.job_common set start_after = now() + interval '1 hour'
    where data -> 'payload' ->> 'task_id' = $1`,
    [lost.task_id],
  )
  const worker = await startJobWorker({
    systemUrl: database.systemUrl,
    db,
    systemDb,
    handlers: [holding],
    log: silent,
    pollSeconds: 0.5,
    getTenantStatus: async () => 'active',
  })
  await waitUntil(async () => (await getRow(held.task_id)).state === 'running')
  await owner.query(
    `update platform.background_tasks set state = 'running', run_id = gen_random_uuid(), attempt = 1 where id = $1`,
    [lost.task_id],
  )

  const requeueTasksWithoutJob = async (tx: SystemTx) =>
    requeueLostTasks(tx, await listRunningPayloadValues(tx, 'task_id'))

  const tooSoon = await inSystem(systemDb, requeueTasksWithoutJob)
  await owner.query(`update platform.background_tasks set updated_at = now() - interval '31 seconds'`)
  const requeued = await inSystem(systemDb, requeueTasksWithoutJob)
  const states = [(await getRow(held.task_id)).state, (await getRow(lost.task_id)).state]
  release.resolve()
  await worker.stop()

  assert.deepEqual(tooSoon, [])
  assert.deepEqual(requeued, [lost.task_id])
  assert.deepEqual(states, ['running', 'queued'])
})

test('records are changed before the response up to the limit, and more in a task', async () => {
  const calls: string[] = []
  const run = (count: number) =>
    runInlineOrTask(count, {
      runInline: async () => calls.push('inline'),
      startTask: async () => calls.push('task'),
    })

  for (const count of [0, maxInline, maxInline + 1]) await run(count)

  assert.deepEqual(calls, ['inline', 'inline', 'task'])
})
