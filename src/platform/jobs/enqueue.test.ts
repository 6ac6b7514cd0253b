import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { Id } from '#platform/schema'
import { waitUntil } from '#testing'
import { enqueue, enqueueAll } from './enqueue.ts'
import { defineJob, defineJobHandler } from './job.ts'
import { startTestQueue } from './test-queue.fixture.ts'

const { owner, inTenant, listJobs, startWorker } = await startTestQueue()
const greet = defineJob('test.greet', 'mail', Type.Object({ lead_id: Id }))
const jobsOf = (tenantId: string) => listJobs(`group_id = '${tenantId}'`)

test('a job enqueued in a rolled-back transaction does not exist', async () => {
  const acme = newId()

  const undone = inTenant(acme, async (tx) => {
    await enqueue(tx, greet, { lead_id: newId() })
    throw new Error('changed my mind')
  })

  await assert.rejects(undone, /changed my mind/)
  assert.deepEqual(await jobsOf(acme), [])
})

test('a queued job contains its name, payload and tenant', async () => {
  const acme = newId()
  const lead_id = newId()

  await inTenant(acme, (tx) => enqueue(tx, greet, { lead_id }))

  const [job] = await jobsOf(acme)
  assert.equal(job.name, 'mail')
  assert.deepEqual(job.data, { job: 'test.greet', payload: { lead_id } })
})

test('a payload that does not match the schema of the job is rejected', async () => {
  const acme = newId()

  const wrong = inTenant(acme, (tx) => enqueue(tx, greet, { lead_id: 'ada' }))

  await assert.rejects(wrong, /payload of test.greet/)
  assert.deepEqual(await jobsOf(acme), [])
})

test('the application role cannot read or change the content of jobs', async () => {
  const acme = newId()
  await inTenant(acme, (tx) => enqueue(tx, greet, { lead_id: newId() }))
  const execute = (statement: string) => inTenant(acme, (tx) => sql.raw(statement).execute(tx))

  await assert.rejects(execute('select data from pgboss.job_common'), /permission denied/)
  await assert.rejects(execute('select id from pgboss.job'), /permission denied/)
  await assert.rejects(execute('delete from pgboss.job_common'), /permission denied/)
  await assert.rejects(execute('update pgboss.job_common set priority = 1'), /permission denied/)
  await assert.rejects(execute(`select pgboss.delete_queue('mail')`), /permission denied/)
  const visible = await execute('select id from pgboss.job_common')

  assert.equal(visible.rows.length, 1)
})

test('a request can enqueue jobs only for its own tenant', async () => {
  const [acme, globex] = [newId(), newId()]

  const forged = inTenant(acme, (tx) =>
    sql`insert into pgboss.job_common (name, data, group_id) values ('mail', '{}', ${globex})`.execute(tx),
  )

  await assert.rejects(forged, /row-level security/)
  assert.deepEqual(await jobsOf(globex), [])
})

test('at most one job per key and tenant waits', async () => {
  const [acme, globex] = [newId(), newId()]
  const enqueueGreeting = (tenantId: string, singletonKey: string) =>
    inTenant(tenantId, (tx) => enqueue(tx, greet, { lead_id: newId() }, { singletonKey }))

  await Promise.all([
    enqueueGreeting(acme, 'ada'),
    enqueueGreeting(acme, 'ada'),
    enqueueGreeting(acme, 'bob'),
    enqueueGreeting(globex, 'ada'),
  ])

  assert.equal((await jobsOf(acme)).length, 2)
  assert.equal((await jobsOf(globex)).length, 1)
})

test('a job is enqueued while a worker claims the waiting one and another request enqueues the next', async () => {
  const acme = newId()
  const enqueueGreeting = (tx: TenantTx) => enqueue(tx, greet, { lead_id: newId() }, { singletonKey: 'ada' })
  const claim = () => owner.query(`update pgboss.job_common set state = 'active' where group_id = $1`, [acme])
  await inTenant(acme, enqueueGreeting)
  let races = 1

  await inTenant(acme, async (tx) => {
    const executor = tx.getExecutor()
    const executeQuery = executor.executeQuery.bind(executor)
    executor.executeQuery = async <R>(query: CompiledQuery<R>) => {
      const isRace = query.sql.includes('hold_waiting') && races-- > 0
      if (isRace) await claim()
      const result = await executeQuery(query)
      if (isRace) await inTenant(acme, enqueueGreeting)
      return result
    }
    await enqueueGreeting(tx)
  })

  assert.deepEqual((await jobsOf(acme)).map(({ state }) => state).sort(), ['active', 'created'])
})

test('many jobs are enqueued together, and keys that already wait are kept', async () => {
  const acme = newId()
  const startAfter = new Date(Date.now() + 3_600_000)
  const requests = ['ada', 'bob', 'cem'].map((singletonKey) => ({
    payload: { lead_id: newId() },
    singletonKey,
    startAfter,
  }))
  await inTenant(acme, (tx) =>
    enqueue(tx, greet, requests[1]!.payload, { singletonKey: 'bob', startAfter: new Date() }),
  )

  await inTenant(acme, (tx) => enqueueAll(tx, greet, requests))
  await inTenant(acme, (tx) => enqueueAll(tx, greet, []))

  const jobs = await jobsOf(acme)
  assert.deepEqual(
    jobs.map(({ data }) => data.payload.lead_id).sort(),
    requests.map(({ payload }) => payload.lead_id).sort(),
  )
  assert.equal(jobs.filter(({ start_after }) => start_after.getTime() === startAfter.getTime()).length, 2)
})

test('enqueueing a waiting job again keeps the earlier start time', async () => {
  const acme = newId()
  const enqueueGreeting = (startAfter: Date) =>
    inTenant(acme, (tx) => enqueue(tx, greet, { lead_id: newId() }, { singletonKey: 'ada', startAfter }))
  const [soon, later, muchLater] = [1, 2, 3].map((hours) => new Date(Date.now() + hours * 3_600_000))
  await enqueueGreeting(later!)

  await enqueueGreeting(muchLater!)
  const [unchanged] = await jobsOf(acme)
  await enqueueGreeting(soon!)
  const [advanced] = await jobsOf(acme)

  assert.deepEqual(unchanged.start_after, later)
  assert.deepEqual(advanced.start_after, soon)
})

test('a waiting job that is enqueued again does not start before that transaction commits', async () => {
  const acme = newId()
  const seen: string[] = []
  await owner.query('create table public.notes (tenant_id text, note text)')
  await inTenant(acme, (tx) => enqueue(tx, greet, { lead_id: newId() }, { singletonKey: 'ada' }))

  const handler = defineJobHandler(greet, async ({ tenantId }) => {
    const { rows } = await owner.query('select note from public.notes where tenant_id = $1', [tenantId])
    seen.push(...rows.map(({ note }) => note))
  })
  await inTenant(acme, async (tx) => {
    await enqueue(tx, greet, { lead_id: newId() }, { singletonKey: 'ada' })
    await startWorker([handler])
    await waitUntil(async () => (await listJobs(`name = 'mail' and state = 'completed'`)).length >= 1)
    await owner.query('insert into public.notes values ($1, $2)', [acme, 'written before the commit'])
  })
  await waitUntil(async () => (await jobsOf(acme)).every(({ state }) => state === 'completed'))

  assert.deepEqual(seen, ['written before the commit'])
  assert.equal((await jobsOf(acme)).length, 1)
})
