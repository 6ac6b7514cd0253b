import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { systemIn } from '#platform/access'
import { inSystem, inTenant, type TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { type JobContext, type JobHandler, startJobs, stopJobs, workOnJobs } from '#platform/jobs'
import { startTestDb } from '#testing'
import { handleTask } from './handle-task.ts'
import { requeueLostTasks } from './lost-tasks.queries.ts'
import { giveUpTask } from './run-task.service.ts'
import { startTask } from './start-task.ts'
import { defineTask } from './task.ts'
import type { TaskContext } from './task-run.ts'

const { database, owner, db, systemDb } = await startTestDb()
await startJobs({ systemUrl: database.systemUrl })
after(stopJobs)

const count = defineTask('test.count', 'bulk', Type.Object({}))
const silent = { info: () => {}, warn: () => {}, error: () => {} }

const start = (tenantId: string) =>
  inTenant(db, systemIn(tenantId), (tx) => startTask(tx, count, {}, { title: 'Count', total: 10 }))

/** A worker's view of the job, without the worker: a test decides when it runs, and when it is lost. */
const jobIn = (tenantId: string, signal = new AbortController().signal): JobContext => ({
  ...{ tenantId, signal, attempt: 1, log: silent },
  inTenant: <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemIn(tenantId), work),
})

const run = (handler: JobHandler, job: JobContext, task_id: string) =>
  handler.run(job, { task_id, payload: {} } as never)

async function rowOf(id: string) {
  const { rows } = await owner.query('select * from platform.background_tasks where id = $1', [id])
  return rows[0]
}

async function eventsOf(tenantId: string): Promise<string[]> {
  const { rows } = await owner.query('select type from platform.outbox_events where tenant_id = $1 order by id', [
    tenantId,
  ])
  return rows.map(({ type }) => type)
}

test('a task and its job exist together or not at all', async () => {
  const [acme, doubtful] = [newId(), newId()]

  await start(acme)
  const undone = inTenant(db, systemIn(doubtful), async (tx) => {
    await startTask(tx, count, {}, { title: 'Count' })
    throw new Error('changed my mind')
  })

  await assert.rejects(undone, /changed my mind/)
  const { rows } = await owner.query(
    `select t.tenant_id, count(*)::int as tasks,
       (select count(*)::int from pgboss.job_common where group_id = t.tenant_id::text) as jobs
     from platform.background_tasks t where tenant_id = any($1) group by 1`,
    [[acme, doubtful]],
  )
  assert.deepEqual(rows, [{ tenant_id: acme, tasks: 1, jobs: 1 }])
})

test('a worker that was given up for dead can neither save, report nor finish', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  const frozen = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const first = handleTask(count, async (task: TaskContext<number>) => {
    task.progress(3)
    begun.resolve()
    await frozen.promise
    task.progress(9)
    await task.inTenant((tx) => task.checkpoint.save(tx, 99))
  })
  const second = handleTask(count, async (task: TaskContext<number>) => {
    await task.inTenant((tx) => task.checkpoint.save(tx, 5))
    task.progress(5)
    frozen.resolve()
    await assert.rejects(outcome, { name: 'TaskTakenOver' })
    return { by: 'the second' }
  })

  const outcome = run(first, jobIn(acme), task_id)
  outcome.catch(() => {})
  await begun.promise
  await run(second, jobIn(acme), task_id)

  const row = await rowOf(task_id)
  assert.partialDeepStrictEqual(row, { state: 'succeeded', attempt: 2, checkpoint: 5, result: { by: 'the second' } })
  assert.equal(Number(row.progress_done), 5)
  assert.deepEqual(await eventsOf(acme), ['task.succeeded'])
})

test('what a batch did is undone with it when its worker has lost the task', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  const late = handleTask(count, async (task: TaskContext<number>) => {
    await owner.query('update platform.background_tasks set run_id = $2 where id = $1', [task_id, newId()])
    await task.inTenant(async (tx) => {
      await startTask(tx, count, {}, { title: 'Made by the batch' })
      await task.checkpoint.save(tx, 1)
    })
  })

  const outcome = run(late, jobIn(acme), task_id)

  await assert.rejects(outcome, { name: 'TaskTakenOver' })
  const { rows } = await owner.query('select title from platform.background_tasks where tenant_id = $1', [acme])
  assert.deepEqual(rows, [{ title: 'Count' }])
})

test('progress is written at most twice a second, is never lost, and never falls', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  const seen: { seq: number; done: number }[] = []
  const eager = handleTask(count, async (task) => {
    for (let done = 1; done <= 100; done++) {
      task.progress(done, 100)
      const { seq, progress_done } = await rowOf(task_id)
      seen.push({ seq: Number(seq), done: Number(progress_done) })
      await sleep(10)
    }
    task.progress(40)
  })

  await run(eager, jobIn(acme), task_id)

  const writes = new Set(seen.map(({ done }) => done)).size
  const row = await rowOf(task_id)
  assert.ok(writes >= 2 && writes <= 2 + (seen.length * 40) / 500, `${writes} writes`)
  assert.equal(Number(row.progress_done), 100)
  assert.equal(Number(row.progress_total), 100)
})

test('an attempt that had to make way does not count, one that broke does', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  const stopping = new AbortController()
  const working = handleTask(count, async (task) => {
    stopping.abort()
    await task.isCancelled()
  })
  const breaking = handleTask(count, async () => {
    throw new Error('boom')
  })

  await assert.rejects(run(working, jobIn(acme, stopping.signal), task_id), { name: 'AbortError' })
  const released = await rowOf(task_id)
  await assert.rejects(run(breaking, jobIn(acme), task_id), /boom/)
  const broken = await rowOf(task_id)

  assert.partialDeepStrictEqual(released, { state: 'queued', attempt: 0, run_id: null, error: null })
  assert.partialDeepStrictEqual(broken, { state: 'queued', attempt: 1, error: { code: 'internal_error' } })
})

test('what is busy or away is tried again, what is refused is not', async () => {
  const acme = newId()
  const failing = (status: number) =>
    handleTask(count, async () => {
      throw new AppError(status, 'some_code', 'Some words.')
    })
  const [busy, refused] = [await start(acme), await start(acme)]

  await assert.rejects(run(failing(503), jobIn(acme), busy.task_id))
  await run(failing(422), jobIn(acme), refused.task_id)

  assert.equal((await rowOf(busy.task_id)).state, 'queued')
  assert.partialDeepStrictEqual(await rowOf(refused.task_id), {
    state: 'failed',
    error: { code: 'some_code', message: 'Some words.' },
  })
})

test('a task whose workers died each time is stalled', async () => {
  const acme = newId()
  const [died, givenUp] = [await start(acme), await start(acme)]
  await owner.query(
    `update platform.background_tasks set state = 'running', run_id = gen_random_uuid(), attempt = 5, started_at = now()
     where tenant_id = $1`,
    [acme],
  )
  let runs = 0
  const counting = handleTask(count, async () => {
    runs++
  })

  await run(counting, jobIn(acme), died.task_id)
  await inTenant(db, systemIn(acme), (tx) => giveUpTask(tx, givenUp.task_id))
  await inTenant(db, systemIn(acme), (tx) => giveUpTask(tx, givenUp.task_id))

  assert.equal(runs, 0)
  for (const { task_id } of [died, givenUp])
    assert.partialDeepStrictEqual(await rowOf(task_id), { state: 'failed', error: { code: 'stalled' } })
  assert.deepEqual(await eventsOf(acme), ['task.failed', 'task.failed'])
})

test('a job that is delivered again after the end of its task changes nothing', async () => {
  const acme = newId()
  const { task_id } = await start(acme)
  let runs = 0
  const counting = handleTask(count, async () => ({ runs: ++runs }))

  await run(counting, jobIn(acme), task_id)
  await run(counting, jobIn(acme), task_id)

  assert.equal(runs, 1)
  assert.deepEqual(await eventsOf(acme), ['task.succeeded'])
})

test('a result that is too large is left out, and the task has succeeded all the same', async () => {
  const acme = newId()
  const [large, small] = [await start(acme), await start(acme)]
  const telling = (length: number) => handleTask(count, async () => ({ text: 'x'.repeat(length) }))

  await run(telling(64 * 1024), jobIn(acme), large.task_id)
  await run(telling(60 * 1024), jobIn(acme), small.task_id)

  assert.partialDeepStrictEqual(await rowOf(large.task_id), { state: 'succeeded', result: { truncated: true } })
  assert.equal((await rowOf(small.task_id)).result.text.length, 60 * 1024)
})

test('a task says that it runs only while somebody holds its job', async () => {
  const acme = newId()
  const [held, lost] = [await start(acme), await start(acme)]
  const release = Promise.withResolvers<void>()
  const holding = handleTask(count, async (task) => {
    if (task.taskId === held.task_id) await release.promise
  })
  await owner.query(
    `update pgboss.job_common set start_after = now() + interval '1 hour'
    where data -> 'payload' ->> 'task_id' = $1`,
    [lost.task_id],
  )
  const working = await workOnJobs({
    ...{ systemUrl: database.systemUrl, db, systemDb, handlers: [holding], log: silent, pollSeconds: 0.5 },
    tenantStatus: async () => 'active',
  })
  for (let tries = 0; (await rowOf(held.task_id)).state !== 'running' && tries < 200; tries++) await sleep(50)
  await owner.query(
    `update platform.background_tasks set state = 'running', run_id = gen_random_uuid(), attempt = 1 where id = $1`,
    [lost.task_id],
  )

  const tooSoon = await inSystem(systemDb, requeueLostTasks)
  await owner.query(`update platform.background_tasks set updated_at = now() - interval '31 seconds'`)
  const requeued = await inSystem(systemDb, requeueLostTasks)
  const states = [(await rowOf(held.task_id)).state, (await rowOf(lost.task_id)).state]
  release.resolve()
  await working.stop()

  assert.deepEqual(tooSoon, [])
  assert.deepEqual(requeued, [lost.task_id])
  assert.deepEqual(states, ['running', 'queued'])
})
