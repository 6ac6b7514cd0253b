import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { storageKey } from '#platform/storage'
import { startTestApp, startWorkerProcess, waitForTask, waitUntil } from '#testing'
import { loadSampleData } from '../sample-data/sample-data.flow.ts'
import { type Acme, clean, createRowCounter, pick } from './clean-data.fixture.ts'

const app = await startTestApp()
const { tenant, services, config, owner, clock, startTestWorker } = app
const { storage } = services
const { countRows, tablesOf, readMaintenance } = createRowCounter(app)
const load = (acme: Acme) =>
  loadSampleData(services, { tenantId: acme.id, userId: acme.admin.userId, now: clock.now(), scale: 0.05 })

test('identity-10-10 cleaning continues after its worker was killed, deletes all business data and counts every row once', {
  timeout: 120_000,
}, async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await load(acme)
  // Consumers of these events would write rows beside the cleaning.
  await owner.query(
    'update platform.outbox_events set published_at = now() where published_at is null and tenant_id = $1',
    [acme.id],
  )
  await other.member.post('/api/leads/', { last_name: 'Reed' })
  await acme.admin.post('/api/custom-fields/', { object_type: 'lead', key: 'size', label: 'Size', type: 'number' })
  const fileId = newId()
  await storage.put(storageKey(acme.id, 'files', fileId), Buffer.from('content'))
  await owner.query(
    `insert into platform.files (tenant_id, id, purpose, filename, media_type, size_bytes, sha256, scan_status, scan_engine)
     values ($1, $2, 'content', 'a.txt', 'text/plain', 7, sha256('content'), 'skipped', 'none')`,
    [acme.id, fileId],
  )
  const before = await countRows(acme)
  const blocking = await owner.connect()
  await blocking.query('begin')
  await blocking.query('select from crm.leads where tenant_id = $1 for update', [acme.id])
  const killed = await startWorkerProcess(config)

  const [started, second] = await Promise.all([clean(acme), clean(acme)])
  const write = await acme.member.post('/api/leads/', { last_name: 'Moss' })
  const read = await acme.member.get('/api/leads/')
  await waitUntil(async () => (await countRows(acme))['crm.activities'] === 0)
  await killed.kill()
  const [accepted, rejected] = started.status === 202 ? [started, second] : [second, started]
  const interrupted = (await acme.admin.get(accepted.body.status_url)).body
  await blocking.query('rollback')
  blocking.release()
  await owner.query(`update pgboss.job_common set state = 'retry', start_after = now() where group_id = $1`, [acme.id])
  await startTestWorker()
  const ended = await waitForTask(acme, accepted.body)

  assert.deepEqual([accepted.status, rejected.status, rejected.body.code], [202, 409, 'conflict'])
  assert.deepEqual([write.status, write.body.code, read.status], [409, 'tenant_in_maintenance', 200])
  assert.ok(['queued', 'running'].includes(interrupted.state))
  assert.equal(ended.state, 'succeeded', JSON.stringify(ended.error))
  const deleted = Object.values<number>(ended.result.tables).reduce((sum, count) => sum + count, ended.result.files)
  assert.deepEqual(ended.progress, { done: deleted, total: deleted })
  const [backup] = (await acme.admin.get('/api/admin/backup-status')).body.items
  assert.deepEqual([backup.id, backup.kind, backup.state], [accepted.body.backup_id, 'pre_clean', 'succeeded'])
  const after = await countRows(acme)
  assert.deepEqual(
    Object.entries(after).filter(([name, count]) => tablesOf('business').includes(name) && count),
    [],
  )
  for (const name of ['crm.leads', 'crm.accounts', 'crm.contacts', 'crm.opportunities', 'crm.activities'])
    assert.deepEqual([name, ended.result.tables[name]], [name, before[name]])
  assert.ok(before['crm.leads']! > 0 && before['crm.pipelines']! > 0)
  const kept = [
    'identity.users',
    'identity.teams',
    'identity.sessions',
    'crm.suppressions',
    ...tablesOf('configuration'),
  ]
  assert.deepEqual(pick(after, kept), pick(before, kept))
  assert.ok(after['platform.audit_log']! > before['platform.audit_log']!)
  // The worker may have added a preview of a sample file.
  assert.ok(before['platform.files']! > 1 && ended.result.files >= before['platform.files']!)
  assert.equal(after['platform.files'], 0)
  await assert.rejects(storage.head(storageKey(acme.id, 'files', fileId)))
  const kpis = (await acme.member.get('/api/leads/kpis')).body
  assert.equal((await acme.member.get('/api/leads/')).body.items.length, 0)
  assert.deepEqual([kpis.total, kpis.open, kpis.by_status.new], [0, 0, 0])
  assert.equal((await acme.events()).filter((type: string) => type === 'tenant.data_cleaned').length, 1)
  assert.equal((await acme.audit()).filter((action: string) => action === 'tenant.data_cleaned').length, 1)
  assert.equal(await readMaintenance(acme), null)
  assert.equal((await acme.member.post('/api/leads/', { last_name: 'Moss' })).status, 201)
  assert.equal((await countRows(other))['crm.leads'], 1)
})
