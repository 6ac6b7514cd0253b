import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { newId } from '#platform/ids'
import { Id } from '#platform/schema'
import { enqueue } from './enqueue.ts'
import { defineJob, handleJob } from './job.ts'
import { startTestWorkshop, until } from './workshop.fixture.ts'

const { owner, inTenant, jobs, startWorker } = await startTestWorkshop()
const greet = defineJob('test.greet', 'mail', Type.Object({ lead_id: Id }))
const jobsOf = (tenantId: string) => jobs(`group_id = '${tenantId}'`)

test('a job that is ordered in a change that is undone never existed', async () => {
  const acme = newId()

  const undone = inTenant(acme, async (tx) => {
    await enqueue(tx, greet, { lead_id: newId() })
    throw new Error('changed my mind')
  })

  await assert.rejects(undone, /changed my mind/)
  assert.deepEqual(await jobsOf(acme), [])
})

test('an order carries what was ordered and by which tenant', async () => {
  const acme = newId()
  const lead_id = newId()

  await inTenant(acme, (tx) => enqueue(tx, greet, { lead_id }))

  const [job] = await jobsOf(acme)
  assert.equal(job.name, 'mail')
  assert.deepEqual(job.data, { job: 'test.greet', payload: { lead_id } })
})

test('a payload that does not fit its definition is refused', async () => {
  const acme = newId()

  const wrong = inTenant(acme, (tx) => enqueue(tx, greet, { lead_id: 'ada' }))

  await assert.rejects(wrong, /payload of test.greet/)
  assert.deepEqual(await jobsOf(acme), [])
})

test('a request can read neither the jobs of others nor its own', async () => {
  const acme = newId()
  await inTenant(acme, (tx) => enqueue(tx, greet, { lead_id: newId() }))
  const ask = (statement: string) => inTenant(acme, (tx) => sql.raw(statement).execute(tx))

  await assert.rejects(ask('select data from pgboss.job_common'), /permission denied/)
  await assert.rejects(ask('select id from pgboss.job'), /permission denied/)
  await assert.rejects(ask('delete from pgboss.job_common'), /permission denied/)
  await assert.rejects(ask('update pgboss.job_common set priority = 1'), /permission denied/)
  await assert.rejects(ask(`select pgboss.delete_queue('mail')`), /permission denied/)
  const seen = await ask('select id from pgboss.job_common')

  assert.equal(seen.rows.length, 1)
})

test('a request can order a job for its own tenant only', async () => {
  const [acme, globex] = [newId(), newId()]

  const forged = inTenant(acme, (tx) =>
    sql`insert into pgboss.job_common (name, data, group_id) values ('mail', '{}', ${globex})`.execute(tx),
  )

  await assert.rejects(forged, /row-level security/)
  assert.deepEqual(await jobsOf(globex), [])
})

test('of the waiting jobs with one key there is one, for each tenant', async () => {
  const [acme, globex] = [newId(), newId()]
  const order = (tenantId: string, singletonKey: string) =>
    inTenant(tenantId, (tx) => enqueue(tx, greet, { lead_id: newId() }, { singletonKey }))

  await Promise.all([order(acme, 'ada'), order(acme, 'ada'), order(acme, 'bob'), order(globex, 'ada')])

  assert.equal((await jobsOf(acme)).length, 2)
  assert.equal((await jobsOf(globex)).length, 1)
})

test('a waiting job is brought forward by an order for an earlier time, and not put off by a later one', async () => {
  const acme = newId()
  const order = (startAfter: Date) =>
    inTenant(acme, (tx) => enqueue(tx, greet, { lead_id: newId() }, { singletonKey: 'ada', startAfter }))
  const [soon, later, muchLater] = [1, 2, 3].map((hours) => new Date(Date.now() + hours * 3_600_000))
  await order(later!)

  await order(muchLater!)
  const [unchanged] = await jobsOf(acme)
  await order(soon!)
  const [forward] = await jobsOf(acme)

  assert.deepEqual(unchanged.start_after, later)
  assert.deepEqual(forward.start_after, soon)
})

test('a job that waits already does not start before the change that also wants it is there to be seen', async () => {
  const acme = newId()
  const seen: string[] = []
  await owner.query('create table public.notes (tenant_id text, note text)')
  await inTenant(acme, (tx) => enqueue(tx, greet, { lead_id: newId() }, { singletonKey: 'ada' }))

  const looking = handleJob(greet, async ({ tenantId }) => {
    const { rows } = await owner.query('select note from public.notes where tenant_id = $1', [tenantId])
    seen.push(...rows.map(({ note }) => note))
  })
  await inTenant(acme, async (tx) => {
    await enqueue(tx, greet, { lead_id: newId() }, { singletonKey: 'ada' })
    await startWorker([looking])
    await until(async () => (await jobs(`name = 'mail' and state = 'completed'`)).length >= 1)
    await owner.query('insert into public.notes values ($1, $2)', [acme, 'written before the commit'])
  })
  await until(async () => (await jobsOf(acme)).every(({ state }) => state === 'completed'))

  assert.deepEqual(seen, ['written before the commit'])
  assert.equal((await jobsOf(acme)).length, 1)
})
