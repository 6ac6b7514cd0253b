import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { startTestApp, waitForTask } from '#testing'
import { clean, createRowCounter, inputFor, pick, url } from './clean-data.fixture.ts'

const app = await startTestApp()
const { tenant, services, startTestWorker } = app
await startTestWorker()
const { storage } = services
const { countRows, tablesOf, readMaintenance } = createRowCounter(app)

test('identity-10-10 cleaning needs the slug, a reason, a recent sign-in and an admin', async () => {
  const acme = await tenant()

  const wrong = await clean(acme, { confirm: 'another' })
  const short = await clean(acme, { reason: 'short' })
  const denied = await acme.manager.post(url, inputFor(acme))
  await acme.sql(`update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes'`)
  const stale = await clean(acme)

  assert.deepEqual([wrong.status, wrong.body.errors[0].code], [422, 'mismatch'])
  assert.deepEqual([short.status, denied.status], [422, 403])
  assert.deepEqual([stale.status, stale.body.code], [403, 'reauthentication_required'])
  assert.equal(await readMaintenance(acme), null)
})

test('identity-10-11 nothing is deleted if the backup fails, and the maintenance ends', async (context) => {
  const acme = await tenant()
  await acme.member.post('/api/leads/', { last_name: 'Moss' })
  context.mock.method(storage, 'put', async (_key: string, body: Readable) => {
    body.destroy()
    throw new Error('the disk is full')
  })

  const ended = await waitForTask(acme, (await clean(acme)).body)

  assert.deepEqual([ended.state, ended.error.code], ['failed', 'conflict'])
  assert.equal((await acme.member.get('/api/leads/')).body.items.length, 1)
  assert.equal(await readMaintenance(acme), null)
  assert.ok(!(await acme.events()).includes('tenant.data_cleaned'))
})

test('configuration is deleted on request, without a backup', async () => {
  const acme = await tenant()
  await acme.member.post('/api/leads/', { last_name: 'Moss', source: 'fair' })
  await acme.admin.post('/api/custom-fields/', { object_type: 'lead', key: 'size', label: 'Size', type: 'number' })
  await acme.manager.get('/api/opportunities/pipelines')

  const started = (await clean(acme, { backup: false, keep_configuration: false })).body
  const ended = await waitForTask(acme, started)

  assert.deepEqual([started.backup_id, ended.state], [null, 'succeeded'])
  const after = await countRows(acme)
  assert.deepEqual(
    pick(after, [...tablesOf('business'), ...tablesOf('configuration')]).filter(([, count]) => count),
    [],
  )
  assert.equal((await acme.member.post('/api/leads/', { last_name: 'Moss', source: 'fair' })).status, 201)
  assert.equal((await acme.manager.get('/api/opportunities/pipelines')).status, 200)
})
