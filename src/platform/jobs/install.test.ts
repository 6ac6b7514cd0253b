import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { newId } from '#platform/ids'
import { openBoss } from './boss.ts'
import { enqueue } from './enqueue.ts'
import { installJobQueues } from './install.ts'
import { defineJob } from './job.ts'
import { startTestQueue } from './test-queue.fixture.ts'

const { database, owner, inTenant, listJobs } = await startTestQueue()
const listQueues = async () => (await owner.query('select * from pgboss.queue order by name')).rows

test('a repeated installation keeps waiting jobs and updates the queue settings', async () => {
  const job = defineJob('test.wait', 'mail', Type.Object({}))
  await inTenant(newId(), (tx) => enqueue(tx, job, {}))
  const before = await listQueues()
  await owner.query(`update pgboss.queue set retry_limit = 99 where name = 'mail'`)

  await installJobQueues(database.systemUrl)

  const settings = ({ name, retry_limit, heartbeat_seconds, dead_letter, notify }: Record<string, unknown>) =>
    [name, retry_limit, heartbeat_seconds, dead_letter, notify].join(' ')
  assert.deepEqual((await listQueues()).map(settings), before.map(settings))
  assert.equal((await listJobs()).length, 1)
})

test('jobs are enqueued while the installation is repeated', async () => {
  const job = defineJob('test.wait', 'mail', Type.Object({}))
  const acme = newId()
  const holder = await owner.connect()
  await holder.query('begin; insert into pgboss.job_common (name, group_id) values ($$mail$$, $$open$$)')
  let isInstalling = true
  const enqueueRepeatedly = async () => {
    while (isInstalling) await inTenant(acme, (tx) => enqueue(tx, job, {}, { singletonKey: newId() }))
  }
  const enqueueing = Promise.all([enqueueRepeatedly(), enqueueRepeatedly(), enqueueRepeatedly()])

  try {
    for (let run = 0; run < 3; run++) await Promise.race([installJobQueues(database.systemUrl), enqueueing])
  } finally {
    isInstalling = false
    await holder.query('rollback')
    holder.release()
  }
  await enqueueing

  assert.ok((await listJobs(`group_id = '${acme}'`)).length > 0)
})

test('a process does not start if the job queue is not installed', async () => {
  await owner.query('drop schema pgboss cascade')

  const starting = openBoss({ systemUrl: database.systemUrl, applicationName: 'test', max: 1 })

  await assert.rejects(starting, /pg-boss is not installed/)
})
