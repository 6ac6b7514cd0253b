import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { createJobQueue, startJobWorker, type TenantStatus } from '#platform/jobs'
import { createTestClock, startTestDb, waitUntil } from '#testing'
import { startTask } from './start-task.ts'
import { defineTask } from './task.ts'
import { defineTaskHandler } from './task-handler.ts'
import type { TaskContext } from './task-run.ts'

const { database, owner, db, systemDb } = await startTestDb()
const jobQueue = createJobQueue({ db, systemUrl: database.systemUrl })
await jobQueue.start()
const clock = createTestClock()
const log = { info() {}, warn() {}, error() {} }
await owner.query('create table public.task_states (id uuid, state text)')
await owner.query('grant insert on public.task_states to app')
await owner.query(`create function public.record_state() returns trigger language plpgsql as $$
  begin insert into public.task_states values (new.id, new.state); return new; end $$`)
await owner.query(`create trigger record_state before update on platform.background_tasks
  for each row execute function public.record_state()`)

const count = defineTask('test.count_slowly', 'bulk', Type.Object({ batches: Type.Integer() }))
const minutesPerBatch = 20
const runs: { attempt: number; from: number }[] = []
/** Called in the middle of a batch with its number. */
let onBatch: (batch: number) => Promise<void> = async () => {}

const counting = defineTaskHandler(
  count,
  async (task: TaskContext<number>, { batches }) => {
    let done = task.checkpoint.value ?? 0
    runs.push({ attempt: task.attempt, from: done })
    while (done < batches && !(await task.isCancelled())) {
      clock.advance(minutesPerBatch * 60)
      await task.inTenant(async (tx) => {
        await onBatch(done)
        await task.checkpoint.save(tx, done + 1)
      })
      done++
      task.reportProgress(done, batches)
    }
    return { done }
  },
  { clock },
)

let tenantStatus: TenantStatus = 'active'
const worker = await startJobWorker({
  systemUrl: database.systemUrl,
  db,
  systemDb,
  handlers: [counting],
  log,
  pollSeconds: 0.5,
  getTenantStatus: async () => tenantStatus,
})
after(async () => {
  await worker.stop()
  await jobQueue.stop()
})

const start = (tenantId: string, batches: number) =>
  inTenant(db, systemActor(tenantId), (tx) => startTask(tx, count, { batches }, { title: 'Count', total: batches }))

const getRow = async (id: string) =>
  (await owner.query('select * from platform.background_tasks where id = $1', [id])).rows[0]

const listJobs = async (tenantId: string) =>
  (
    await owner.query(
      `select id, state::text, retry_count, group_tier from pgboss.job_common where group_id = $1 and data ->> 'job' = 'test.count_slowly'`,
      [tenantId],
    )
  ).rows

test('a task of many hours continues with a new job every half hour, without losing an attempt or its state', async () => {
  const acme = newId()
  runs.splice(0)
  const { task_id } = await start(acme, 30)
  const [first] = await listJobs(acme)

  await waitUntil(async () => (await getRow(task_id)).state === 'succeeded')

  const states = await owner.query('select distinct state from public.task_states where id = $1 order by 1', [task_id])
  await waitUntil(async () => (await listJobs(acme)).every(({ state }) => state === 'completed'))
  const [last, ...others] = await listJobs(acme)
  assert.equal((30 * minutesPerBatch) / 60, 10, 'hours')
  assert.deepEqual(
    runs,
    Array.from({ length: 15 }, (_, index) => ({ attempt: 1, from: index * 2 })),
  )
  assert.deepEqual(
    states.rows.map(({ state }) => state),
    ['running', 'succeeded'],
  )
  assert.partialDeepStrictEqual(await getRow(task_id), { attempt: 1, result: { done: 30 }, progress_done: '30' })
  assert.deepEqual([last.retry_count, others], [0, []])
  assert.notEqual(last.id, first.id)
})

test('a task whose claim was lost is not handed over, and the next attempt continues from the checkpoint', async () => {
  const acme = newId()
  runs.splice(0)
  onBatch = async (batch) => {
    // Expires the claim, as if the worker had been frozen; the handover must not commit half of its changes.
    if (batch !== 1) return
    onBatch = async () => {}
    await owner.query(`update pgboss.job_common set retry_count = 1 where group_id = $1 and state = 'active'`, [acme])
  }
  const { task_id } = await start(acme, 3)
  await waitUntil(() => runs.length === 1)
  await waitUntil(async () => (await getRow(task_id)).checkpoint === 2)
  const lost = await getRow(task_id)
  await owner.query(`update pgboss.job_common set state = 'retry', start_after = now() where group_id = $1`, [acme])

  await waitUntil(async () => (await getRow(task_id)).state === 'succeeded')

  assert.equal(lost.attempt, 1)
  assert.deepEqual(runs, [
    { attempt: 1, from: 0 },
    { attempt: 2, from: 2 },
  ])
})

test('a task that is cancelled at the end of a run is cancelled, not continued', async () => {
  const acme = newId()
  runs.splice(0)
  onBatch = async (batch) => {
    if (batch !== 1) return
    await owner.query('update platform.background_tasks set cancel_requested_at = now() where tenant_id = $1', [acme])
  }
  const { task_id } = await start(acme, 10)

  await waitUntil(async () => (await getRow(task_id)).state === 'cancelled')

  assert.deepEqual(runs, [{ attempt: 1, from: 0 }])
  assert.partialDeepStrictEqual(await getRow(task_id), { result: { done: 2 } })
})

test('a task ends its run at a checkpoint when maintenance starts, and continues there when it ends', async () => {
  const acme = newId()
  runs.splice(0)
  onBatch = async (batch) => {
    if (batch === 0) tenantStatus = 'maintenance'
  }
  const { task_id } = await start(acme, 2)
  await waitUntil(async () => (await listJobs(acme)).some(({ group_tier }) => group_tier === 'parked'))
  const paused = await getRow(task_id)

  onBatch = async () => {}
  tenantStatus = 'active'
  await owner.query(`update pgboss.job_common set start_after = now() where group_id = $1`, [acme])
  await waitUntil(async () => (await getRow(task_id)).state === 'succeeded')

  assert.partialDeepStrictEqual(paused, { state: 'running', checkpoint: 1 })
  assert.deepEqual(runs, [
    { attempt: 1, from: 0 },
    { attempt: 1, from: 1 },
  ])
})
