import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScheduleNow } from '#platform/jobs'
import { startTestApp, waitForTask, waitUntil } from '#testing'
import { clean, createRowCounter } from './clean-data.fixture.ts'

const app = await startTestApp()
const { tenant, services, owner, startTestWorker } = app
const { readMaintenance } = createRowCounter(app)

test('a cleaning that is cancelled while it waits deletes nothing, and the maintenance ends within a minute', async () => {
  const [acme, busy] = [await tenant(), await tenant()]
  await acme.member.post('/api/leads/', { last_name: 'Moss' })
  await owner.query(`update identity.tenants set maintenance = 'Restoring data' where id = $1`, [busy.id])
  const { body: started } = await clean(acme)
  const { body: waiting } = await acme.admin.get(started.status_url)

  const cancelled = await acme.admin.post(`/api/tasks/${started.task_id}/cancel`)
  const again = await acme.admin.post(`/api/tasks/${started.task_id}/cancel`)
  const write = await acme.member.post('/api/leads/', { last_name: 'Reed' })
  await startTestWorker()
  await runScheduleNow(services.jobQueue, 'operations.end_lost_cleanings')
  await waitUntil(async () => (await readMaintenance(acme)) === null)

  assert.deepEqual([waiting.state, cancelled.status, cancelled.body.state], ['queued', 200, 'cancelled'])
  assert.deepEqual([again.status, again.body.code], [409, 'task_finished'])
  assert.equal(write.body.code, 'tenant_in_maintenance')
  assert.equal((await acme.member.get('/api/leads/')).body.items.length, 1)
  assert.equal(await readMaintenance(busy), 'Restoring data')
  assert.equal((await acme.admin.get(started.status_url)).body.state, 'cancelled')
  assert.equal((await waitForTask(acme, (await clean(acme)).body)).state, 'succeeded')
})
