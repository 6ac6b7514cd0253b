import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { systemIn } from '#platform/access'
import { inTenant as inTenantOf } from '#platform/db'
import { newId } from '#platform/ids'
import { releaseParkedJobs } from './claims.ts'
import { listDeadJobs, redrive } from './dead-letters.ts'
import { enqueue } from './enqueue.ts'
import { defineJob, handleJob } from './job.ts'
import type { Working } from './work.ts'
import { startTestWorkshop, until } from './workshop.fixture.ts'

const { db, owner, inTenant, jobs, hurry, startWorker, startListener } = await startTestWorkshop()
const jobsOf = (tenantId: string) => jobs(`group_id = '${tenantId}'`)
const Nothing = Type.Object({})

/** Workers of one test do not take the jobs of the next. */
async function during(working: Promise<Working>, work: () => Promise<void>) {
  const { stop } = await working
  try {
    await work()
  } finally {
    await stop()
  }
}

test('a job runs in the tenant that ordered it, in the name of the system', async () => {
  const acme = newId()
  const look = defineJob('test.look', 'bulk', Type.Object({ note: Type.String() }))
  const seen: object[] = []
  const looking = handleJob(look, async ({ tenantId, attempt, inTenant }, { note }) => {
    const { rows } = await inTenant((tx) =>
      sql<{ id: string; role: string }>`select platform.current_tenant_id() as id, current_user as role`.execute(tx),
    )
    seen.push({ tenantId, attempt, note, ...rows[0] })
  })
  await inTenant(acme, (tx) => enqueue(tx, look, { note: 'hello' }))

  await during(startWorker([looking]), () => until(() => seen.length === 1))

  assert.deepEqual(seen, [{ tenantId: acme, attempt: 1, note: 'hello', id: acme, role: 'app' }])
})

test('what is ordered for sample data is carried out as sample data', async () => {
  const actor = { ...systemIn(newId()), origin: 'sample' as const }
  const look = defineJob('test.look_at_origin', 'bulk', Nothing)
  const seen: object[] = []
  const looking = handleJob(look, async ({ inTenant }) => {
    await inTenant(async (tx) => enqueue(tx, ignore, {}))
  })
  const ignore = defineJob('test.ignore', 'bulk', Nothing)
  const ignoring = handleJob(ignore, async () => {})
  await inTenantOf(db, actor, (tx) => enqueue(tx, look, {}))

  await during(startWorker([looking, ignoring]), () =>
    until(async () => (await jobsOf(actor.tenantId)).filter(({ state }) => state === 'completed').length === 2),
  )

  seen.push(...(await jobsOf(actor.tenantId)).map(({ data }) => data.origin))
  assert.deepEqual(seen, ['sample', 'sample'])
})

test('a job that fails is tried again, dies after its last attempt, and can be given another chance', async () => {
  const acme = newId()
  const poison = defineJob('test.poison', 'webhook', Nothing)
  const attempts: number[] = []
  const told: string[] = []
  let isMended = false
  const failing = handleJob(
    poison,
    async ({ attempt }) => {
      attempts.push(attempt)
      if (!isMended) throw new Error('the cup is full')
    },
    { givenUp: async ({ tenantId }) => void told.push(tenantId) },
  )
  await inTenant(acme, (tx) => enqueue(tx, poison, {}))

  await during(startWorker([failing]), async () => {
    await until(async () => {
      await hurry()
      return (await listDeadJobs('webhook')).length === 1
    })
    await until(() => told.length === 1)
    const [dead] = await listDeadJobs('webhook')
    isMended = true
    const moved = await redrive('webhook', { tenantId: acme })
    await until(() => attempts.length === 7)

    assert.deepEqual(attempts, [1, 2, 3, 4, 5, 6, 1])
    assert.equal(dead?.job, 'test.poison')
    assert.equal(dead?.tenant_id, acme)
    assert.equal(dead?.attempts, 6)
    assert.equal(dead?.error?.message, 'the cup is full')
    assert.equal(moved, 1)
    assert.deepEqual(await listDeadJobs('webhook'), [])
    assert.deepEqual(told, [acme])
  })
})

test('redriving takes the dead jobs of the tenant and the kind that were named', async () => {
  const [acme, globex] = [newId(), newId()]
  const [one, other] = ['test.one', 'test.other'].map((name) => defineJob(name, 'media', Nothing))
  for (const [tenantId, job] of [
    [acme, one!],
    [acme, other!],
    [globex, one!],
  ] as const)
    await inTenant(tenantId, (tx) => enqueue(tx, job, {}))
  await owner.query(`update pgboss.job_common set retry_limit = 0 where name = 'media'`)
  await during(startWorker([]), () => until(async () => (await listDeadJobs('media')).length === 3))

  const moved = await redrive('media', { tenantId: acme, job: 'test.one' })

  assert.equal(moved, 1)
  assert.deepEqual(
    (await listDeadJobs('media')).map(({ job, tenant_id }) => [job, tenant_id]).sort(),
    [
      ['test.one', globex],
      ['test.other', acme],
    ].sort(),
  )
  await owner.query(`delete from pgboss.job_common where name like 'media%'`)
})

test('a waiting job that the code no longer understands dies at once instead of failing for an hour', async () => {
  const acme = newId()
  const before = defineJob('test.renamed', 'ai', Type.Object({ lead: Type.String() }))
  const now = defineJob('test.renamed', 'ai', Type.Object({ lead_id: Type.String() }))
  await inTenant(acme, (tx) => enqueue(tx, before, { lead: 'ada' }))

  const running = startWorker([handleJob(now, async () => assert.fail('must not run'))])
  await during(running, () => until(async () => (await listDeadJobs('ai')).length === 1))

  const [dead] = await listDeadJobs('ai')
  assert.equal(dead?.attempts, 1)
  assert.match(dead?.error?.message ?? '', /out of date/)
})

test('the jobs of a suspended tenant are parked without losing an attempt, and run when it is active again', async () => {
  const [acme, globex] = [newId(), newId()]
  const work = defineJob('test.work', 'mail', Nothing)
  const ran: [string, number][] = []
  const working = handleJob(work, async ({ tenantId, attempt }) => void ran.push([tenantId, attempt]))
  let status: 'active' | 'suspended' = 'suspended'
  for (let count = 0; count < 12; count++) await inTenant(acme, (tx) => enqueue(tx, work, {}))
  await inTenant(globex, (tx) => enqueue(tx, work, {}))

  const tenantStatus = async (id: string) => (id === acme ? status : 'active')
  await during(startWorker([working], { tenantStatus }), async () => {
    await until(async () => (await jobsOf(acme)).every(({ group_tier }) => group_tier === 'parked'))
    await until(() => ran.length === 1)
    assert.deepEqual(ran, [[globex, 1]])

    status = 'active'
    const released = await releaseParkedJobs(acme)
    const spread = (await jobsOf(acme)).map(({ start_after }) => start_after.getTime() - Date.now())
    await owner.query(`update pgboss.job_common set start_after = now() where group_id = $1`, [acme])
    await until(() => ran.length === 13)

    assert.equal(released, 12)
    assert.ok(spread.every((milliseconds) => milliseconds <= 600_000))
    assert.ok(Math.max(...spread) > 60_000)
    assert.ok(ran.every(([, attempt]) => attempt === 1))
  })
})

test('a job of a tenant that is gone ends without effect', async () => {
  const acme = newId()
  const work = defineJob('test.work_for_nobody', 'mail', Nothing)
  await inTenant(acme, (tx) => enqueue(tx, work, {}))

  const handlers = [handleJob(work, async () => assert.fail('must not run'))]
  await during(startWorker(handlers, { tenantStatus: async () => 'gone' }), () =>
    until(async () => (await jobsOf(acme)).every(({ state }) => state === 'completed')),
  )

  assert.equal((await jobsOf(acme)).length, 1)
})

test('a worker whose connections are cut goes on as soon as it has new ones', async () => {
  const acme = newId()
  const work = defineJob('test.go_on', 'mail', Nothing)
  let ran = 0

  await during(startWorker([handleJob(work, async () => void ran++)]), async () => {
    await inTenant(acme, (tx) => enqueue(tx, work, {}))
    await until(() => ran === 1)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename in ('app', 'app_system') and datname = current_database()`,
    )
    await sleep(100)
    await inTenant(acme, (tx) => enqueue(tx, work, {}))
    await until(() => ran === 2)
  })

  assert.equal(ran, 2)
})

test('a job starts at once where the notice is heard, and by looking where it is not', async () => {
  const acme = newId()
  const quick = defineJob('test.quick', 'bulk', Type.Object({ ordered: Type.Number() }))
  const waits: number[] = []
  const handler = handleJob(quick, async (_, { ordered }) => void waits.push(Date.now() - ordered))
  const order = () => inTenant(acme, (tx) => enqueue(tx, quick, { ordered: Date.now() }))
  const listener = await startListener()

  await during(startWorker([handler], { listener, pollSeconds: 3 }), async () => {
    await sleep(300)
    await order()
    await until(() => waits.length === 1)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
    )
    await until(() => !listener.isHearing())
    await order()
    await until(() => waits.length === 2)
  })

  assert.ok(waits[0]! < 1_500, `heard after ${waits[0]} ms`)
  assert.ok(waits[1]! < 4_000, `found after ${waits[1]} ms`)
})
