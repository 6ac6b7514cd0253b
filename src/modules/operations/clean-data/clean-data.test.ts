import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { runScheduleNow } from '#platform/jobs'
import { startTestApp, waitForValue, waitUntil } from '#testing'

const { tenant, services, owner, startTestWorker } = await startTestApp()
await startTestWorker()
const { storage, registry } = services
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/admin/clean-all-data'
const inputFor = ({ slug }: Acme, changes = {}) => ({ confirm: slug, reason: 'End of the trial phase', ...changes })
const clean = (acme: Acme, changes = {}) => acme.admin.post(url, inputFor(acme, changes))
const readTask = async (acme: Acme, { status_url }: { status_url: string }) => (await acme.admin.get(status_url)).body
const waitForEnd = (acme: Acme, started: { status_url: string }) =>
  waitForValue(
    () => readTask(acme, started),
    ({ state }) => !['queued', 'running'].includes(state),
  )
const readMaintenance = async ({ id }: Acme): Promise<string | null> =>
  (await owner.query('select maintenance from identity.tenants where id = $1', [id])).rows[0].maintenance

async function countRows({ id }: Acme): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of Object.keys(registry.tables))
    counts[table] = (await owner.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [id])).rows[0].n
  return counts
}
const tablesOf = (kind: string) =>
  Object.entries(registry.tables)
    .filter(([, { clean }]) => clean === kind)
    .map(([name]) => name)
const pick = (counts: Record<string, number>, names: string[]) => names.map((name) => [name, counts[name]])

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

  const ended = await waitForEnd(acme, (await clean(acme)).body)

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
  const ended = await waitForEnd(acme, started)

  assert.deepEqual([started.backup_id, ended.state], [null, 'succeeded'])
  const after = await countRows(acme)
  assert.deepEqual(
    pick(after, [...tablesOf('business'), ...tablesOf('configuration')]).filter(([, count]) => count),
    [],
  )
  assert.equal((await acme.member.post('/api/leads/', { last_name: 'Moss', source: 'fair' })).status, 201)
  assert.equal((await acme.manager.get('/api/opportunities/pipelines')).status, 200)
})

test('a workspace whose cleaning was cancelled while it waited leaves maintenance within a minute', async () => {
  const acme = await tenant()
  const busy = await tenant()
  await acme.member.post('/api/leads/', { last_name: 'Moss' })
  await owner.query(
    `update identity.tenants set maintenance = 'All data of the workspace is being deleted.' where id = $1`,
    [acme.id],
  )
  await owner.query(`update identity.tenants set maintenance = 'Restoring data' where id = $1`, [busy.id])

  await runScheduleNow(services.jobQueue, 'operations.end_lost_cleanings')
  await waitUntil(async () => (await readMaintenance(acme)) === null)

  assert.equal(await readMaintenance(busy), 'Restoring data')
})
