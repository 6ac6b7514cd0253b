// Functions on private tables of pg-boss, together with its public API. A new version of pg-boss must pass this file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobData } from '../job.ts'
import { deadLetterQueueOf } from '../queues.ts'
import { startBossTables } from './boss-tables.fixture.ts'
import { type JobClaim, parkJobs, postponeJob, releaseJobs, requeueClaimedJob, unparkJobs } from './claims.queries.ts'
import {
  listDeadJobs,
  lockDeadJobsToNotify,
  markDeadJobNotified,
  postponeDeadJobNotification,
  selectDeadJobs,
} from './dead-letters.queries.ts'
import { listStuckJobs, requeueStuckJobs } from './stuck-jobs.queries.ts'

const tables = await startBossTables()
const { owner, jobQueue, boss, db, queue, job, acme, globex, inTenant, listJobs } = tables
const { add, addDead, asSystem, claim, claimNew, makeDue } = tables

const find = async (id: string) => (await boss.findJobs<JobData>(queue, { id }))[0]!

test('a released job can be claimed again, has not lost an attempt, and its former claim is not valid', async () => {
  const former = await claimNew()

  await releaseJobs(db, queue, [former])
  const [again] = await claim()
  await boss.complete(queue, { id: former.id, retryCount: former.retryCount })

  assert.equal(again?.id, former.id)
  assert.equal(again.retryLimit - again.retryCount, former.retryLimit - former.retryCount)
  assert.equal((await find(former.id)).state, 'active')
})

test('a released claim is only the current one', async () => {
  const { id, retryCount } = await claimNew()

  await releaseJobs(db, queue, [{ id, retryCount: retryCount + 1 }])

  assert.equal((await find(id)).state, 'active')
})

test('a postponed job is claimed later, for at most a day', async () => {
  const claimed = await claimNew()

  assert.equal(await postponeJob(db, queue, claimed), true)
  assert.deepEqual(await claim(), [])
  await makeDue()
  const [again] = await claim()
  await owner.query(`update pgboss.job_common set created_on = now() - interval '25 hours'`)

  assert.equal(again?.retryLimit, claimed.retryLimit + 1)
  assert.equal(await postponeJob(db, queue, again), false)
})

test('parked jobs are neither claimed nor lost until they are unparked', async () => {
  const claimed = await claimNew()
  await add()
  await add(globex)

  await parkJobs(db, queue, [acme], [claimed])
  const ofOthers = await claim()
  const unparked = await unparkJobs(jobQueue, acme)
  const tiers = (await listJobs()).map(({ group_tier }) => group_tier)
  await makeDue()
  const resumed = await claim()

  assert.deepEqual(
    ofOthers.map(({ groupId }) => groupId),
    [globex],
  )
  assert.equal(unparked, 2)
  assert.deepEqual(tiers, [null, null, null])
  assert.deepEqual(
    resumed.map(({ groupId }) => groupId),
    [acme, acme],
  )
})

test('a requeued job has a new id and all attempts, and only its claim can requeue it', async () => {
  const { id, retryCount, createdOn } = await claimNew()
  const requeue = (tenantId: string, claimed: JobClaim) =>
    inTenant(tenantId, (tx) => requeueClaimedJob(tx, queue, claimed))

  assert.equal(await requeue(globex, { id, retryCount }), false)
  assert.equal(await requeue(acme, { id, retryCount: retryCount + 1 }), false)
  assert.equal(await requeue(acme, { id, retryCount }), true)
  const [again] = await claim()

  assert.notEqual(again?.id, id)
  assert.equal(again?.retryCount, 0)
  assert.deepEqual(again.createdOn, createdOn)
})

test('a job without a heartbeat for an hour is stuck and can be requeued by its tenant', async () => {
  const { id } = await claimNew()
  assert.deepEqual(await listStuckJobs(jobQueue, acme, 10), [])
  await owner.query(`update pgboss.job_common set heartbeat_on = now() - interval '61 minutes'`)

  assert.deepEqual(await listStuckJobs(jobQueue, acme, 10), [id])
  assert.equal(await requeueStuckJobs(jobQueue, globex, [id]), 0)
  assert.equal(await requeueStuckJobs(jobQueue, acme, [id]), 1)

  assert.equal((await claim())[0]?.id, id)
})

test('dead jobs are listed with their error, selected by a filter and redriven by pg-boss', async () => {
  await addDead()
  await addDead(globex)
  const listed = await listDeadJobs(jobQueue, queue)
  const [first] = await selectDeadJobs(db, queue, { tenantId: acme, job: job.name })

  const moved = await boss.redrive(deadLetterQueueOf(queue), { ids: [first!] })

  assert.partialDeepStrictEqual(listed, [
    { queue, job: job.name, tenant_id: globex, payload: {}, error: { message: 'no' }, attempts: 1 },
    { queue, job: job.name, tenant_id: acme, payload: {}, error: { message: 'no' }, attempts: 1 },
  ])
  assert.equal(moved, 1)
  assert.equal((await claim())[0]?.groupId, acme)
  assert.deepEqual(await selectDeadJobs(db, queue, { tenantId: acme }), [])
  assert.deepEqual(await selectDeadJobs(db, queue, { job: 'test.other' }), [])
  assert.equal((await selectDeadJobs(db, queue, { limit: 1 })).length, 1)
})

test('a dead job is notified once, or later if its notification is postponed', async () => {
  await addDead()
  const lock = () => asSystem((tx) => lockDeadJobsToNotify(tx, [job.name]))
  const [dead] = await lock()

  await asSystem((tx) => postponeDeadJobNotification(tx, dead!.id))
  const postponed = await lock()
  await makeDue()
  const again = await lock()
  await asSystem((tx) => markDeadJobNotified(tx, dead!.id))

  assert.partialDeepStrictEqual(dead, { data: { job: job.name }, retryCount: 0, groupId: acme })
  assert.deepEqual(postponed, [])
  assert.deepEqual(
    again.map(({ id }) => id),
    [dead!.id],
  )
  assert.deepEqual(await lock(), [])
  assert.equal((await listDeadJobs(jobQueue, queue)).length, 1)
})
