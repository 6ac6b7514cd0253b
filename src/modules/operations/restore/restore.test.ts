import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { storageKey } from '#platform/storage'
import { startTestApp, waitForTask, waitUntil } from '#testing'
import { readArchivedRows } from '../backups/archive-rows.fixture.ts'
import { verifyArchive } from '../backups/read-archive.ts'
import { clean } from '../clean-data/clean-data.fixture.ts'
import { loadSampleData } from '../sample-data/sample-data.flow.ts'

const app = await startTestApp({}, { isOwn: true })
const { tenant, services, owner, clock } = app
const { storage, registry } = services
const worker = await app.startTestWorker()
type Acme = Awaited<ReturnType<typeof tenant>>

const restore = (acme: Acme, backupId: string, changes = {}) =>
  acme.admin.post(`/api/admin/backups/${backupId}/restore`, {
    confirm: acme.slug,
    reason: 'Deleted by mistake',
    ...changes,
  })
const readArchive = async (acme: Acme, id: string) =>
  buffer((await storage.get(storageKey(acme.id, 'backups', id))).stream)
const pickFrom = (columns: readonly string[]) => (line: string) => {
  const row = JSON.parse(line)
  return JSON.stringify(columns.map((column) => row[column]))
}

async function cleanWorkspace(acme: Acme, changes = {}): Promise<string> {
  const { body } = await clean(acme, changes)
  const ended = await waitForTask(acme, body)
  assert.equal(ended.state, 'succeeded', JSON.stringify(ended.error))
  return body.backup_id
}

test('cleaning and restoring a workspace give the same rows, lists, files and links', async () => {
  const acme = await tenant()
  await acme.admin.post('/api/custom-fields/', { object_type: 'lead', key: 'seats', label: 'Seats', type: 'number' })
  await loadSampleData(services, { tenantId: acme.id, userId: acme.admin.userId, now: clock.now(), scale: 0.05 })
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Moss', custom: { seats: 12 } })).body
  const backupId = await cleanWorkspace(acme, { keep_configuration: false })
  const archive = await readArchive(acme, backupId)

  const started = await restore(acme, backupId)
  const ended = await waitForTask(acme, started.body)
  await worker.stop()

  assert.equal(started.status, 202, started.text)
  assert.equal(ended.state, 'succeeded', JSON.stringify(ended.error))
  const { manifest } = await verifyArchive(Readable.from([archive]))
  const archived = await readArchivedRows(archive)
  for (const { name, columns, rows } of manifest.tables) {
    if (registry.tables[name as keyof typeof registry.tables]?.clean === 'never') continue
    const current = await owner.query(
      `select to_json(found)::text as line from (
         select ${columns.map((column) => `"${column}"`)} from ${name} where tenant_id = $1) as found`,
      [acme.id],
    )
    const pick = pickFrom(columns)
    assert.equal(current.rows.length, rows, name)
    assert.deepEqual(
      current.rows.map(({ line }) => pick(line)).sort(),
      (archived.get(name) ?? []).map(pick).sort(),
      name,
    )
  }
  assert.ok(manifest.files.length > 0)
  for (const { id, sha256 } of manifest.files)
    assert.equal(hash('sha256', await buffer((await storage.get(storageKey(acme.id, 'files', id))).stream)), sha256)
  assert.equal((await acme.member.get(`/api/leads/${lead.id}`)).body.custom.seats, 12)
  assert.equal(
    (await owner.query('select maintenance from identity.tenants where id = $1', [acme.id])).rows[0].maintenance,
    null,
  )
})
void waitUntil
