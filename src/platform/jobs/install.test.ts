import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { newId } from '#platform/ids'
import { openBoss } from './boss.ts'
import { enqueue } from './enqueue.ts'
import { installJobs } from './install.ts'
import { defineJob } from './job.ts'
import { startTestWorkshop } from './workshop.fixture.ts'

const { database, owner, inTenant, jobs } = await startTestWorkshop()
const queues = async () => (await owner.query('select * from pgboss.queue order by name')).rows

test('installing the queue again keeps what waits in it and brings its settings up to date', async () => {
  const job = defineJob('test.wait', 'mail', Type.Object({}))
  await inTenant(newId(), (tx) => enqueue(tx, job, {}))
  const before = await queues()
  await owner.query(`update pgboss.queue set retry_limit = 99 where name = 'mail'`)

  await installJobs(database.systemUrl)

  const settings = ({ name, retry_limit, heartbeat_seconds, dead_letter, notify }: Record<string, unknown>) =>
    [name, retry_limit, heartbeat_seconds, dead_letter, notify].join(' ')
  assert.deepEqual((await queues()).map(settings), before.map(settings))
  assert.equal((await jobs()).length, 1)
})

test('a process does not start on a queue that is not installed', async () => {
  await owner.query('drop schema pgboss cascade')

  const starting = openBoss({ systemUrl: database.systemUrl, name: 'test', max: 1 })

  await assert.rejects(starting, /pg-boss is not installed/)
})
