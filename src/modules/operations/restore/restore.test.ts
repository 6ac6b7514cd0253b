import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { storageKey } from '#platform/storage'
import { startTestApp, startWorkerProcess, waitForTask, waitUntil } from '#testing'
import { createOperator } from '../../../commands/operator.stand-in.ts'
import { respondUrl, surveyActions } from '../../surveys/surveys.fixture.ts'
import { verifyArchive } from '../archives/read-archive.ts'
import { readArchivedRows } from '../backups/archive-rows.fixture.ts'
import { listUrlsOf, withoutVolatile } from '../backups/workspace-lists.fixture.ts'
import { clean } from '../clean-data/clean-data.fixture.ts'
import { loadSampleData } from '../sample-data/sample-data.flow.ts'

const started = await startTestApp({}, { isOwn: true })
const { app, tenant, services, owner, clock, config, startTestWorker } = started
const { storage, registry } = services
type Acme = Awaited<ReturnType<typeof tenant>>

const load = (acme: Acme, scale = 0.05) =>
  loadSampleData(services, { tenantId: acme.id, userId: acme.admin.userId, now: clock.now(), scale })
const restoreUrl = (backupId: string) => `/api/admin/backups/${backupId}/restore`
const inputFor = ({ slug }: Acme, changes = {}) => ({ confirm: slug, reason: 'Deleted by mistake', ...changes })
const restore = (acme: Acme, backupId: string) => acme.admin.post(restoreUrl(backupId), inputFor(acme))
const readMaintenance = async ({ id }: Acme): Promise<string | null> =>
  (await owner.query('select maintenance from identity.tenants where id = $1', [id])).rows[0].maintenance
const countLeads = async ({ member }: Acme): Promise<number> => (await member.get('/api/leads/')).body.items.length

async function cleanWorkspace(acme: Acme, changes = {}): Promise<string> {
  const { body } = await clean(acme, changes)
  const ended = await waitForTask(acme, body)
  assert.equal(ended.state, 'succeeded', JSON.stringify(ended.error))
  return body.backup_id
}

/** Expects the rows of the archive in all tables that a cleaning empties. */
async function assertRestored(acme: Acme, backupId: string) {
  const archive = await buffer((await storage.get(storageKey(acme.id, 'backups', backupId))).stream)
  const { manifest } = await verifyArchive(Readable.from([archive]))
  const archived = await readArchivedRows(archive)
  for (const { name, columns, rows } of manifest.tables) {
    if (registry.tables[name as keyof typeof registry.tables]?.clean === 'never' || !columns.length) continue
    const { rows: current } = await owner.query(
      `select to_json(found)::text as line from (
         select ${columns.map((column) => `"${column}"`)} from ${name} where tenant_id = $1) as found`,
      [acme.id],
    )
    const pick = (line: string) => {
      const row = JSON.parse(line)
      return JSON.stringify(columns.map((column) => row[column]))
    }
    assert.equal(current.length, rows, name)
    assert.deepEqual(current.map(({ line }) => pick(line)).sort(), (archived.get(name) ?? []).map(pick).sort(), name)
  }
  for (const { id, sha256 } of manifest.files)
    assert.equal(hash('sha256', await buffer((await storage.get(storageKey(acme.id, 'files', id))).stream)), sha256)
  return manifest
}

test('a restore whose worker is killed starts again and inserts every row once', { timeout: 120_000 }, async () => {
  const acme = await tenant()
  await load(acme)
  const cleaner = await startTestWorker()
  const backupId = await cleanWorkspace(acme)
  await cleaner.stop()
  await acme.sql('insert into enablement.insight_marks (tenant_id, id) values ($1, $2)', [acme.id, newId()])
  type Response = Awaited<ReturnType<typeof restore>>
  let [responses, write]: [Response[], Response?] = [[]]
  const blocking = await owner.connect()
  const killed = await startWorkerProcess(config)
  try {
    await blocking.query('begin')
    // Rows can be read, but not inserted.
    await blocking.query('lock table crm.opportunities in share mode')
    responses = await Promise.all([restore(acme, backupId), restore(acme, backupId)])
    write = await acme.member.post('/api/leads/', { last_name: 'Moss' })
    await waitUntil(async () => {
      const waiting = `select from pg_locks where relation = 'crm.opportunities'::regclass and not granted`
      return (await owner.query(waiting)).rowCount! > 0
    })
    await killed.kill()
  } finally {
    await blocking.query('rollback')
    blocking.release()
  }
  const interrupted = await countLeads(acme)
  await owner.query(`update pgboss.job_common set state = 'retry', start_after = now() where group_id = $1`, [acme.id])
  const worker = await startTestWorker()
  const accepted = responses.find(({ status }) => status === 202)!
  const ended = await waitForTask(acme, accepted.body)
  await worker.stop()

  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [202, 409])
  assert.deepEqual([write?.status, write?.body.code, interrupted], [409, 'tenant_in_maintenance', 0])
  assert.equal(ended.state, 'succeeded', JSON.stringify(ended.error))
  assert.equal(ended.progress.done, ended.progress.total)
  await assertRestored(acme, backupId)
  assert.equal(await readMaintenance(acme), null)
  for (const list of [await acme.events(), await acme.audit()])
    assert.equal(list.filter((name: string) => name === 'tenant.data_restored').length, 1)
})

test('cleaning and restoring a workspace give the same lists, files and links', { timeout: 120_000 }, async () => {
  const acme = await tenant()
  await acme.admin.post('/api/custom-fields/', { object_type: 'lead', key: 'seats', label: 'Seats', type: 'number' })
  await load(acme)
  await acme.member.post('/api/leads/', { last_name: 'Moss', custom: { seats: 12 } })
  const room = (await acme.manager.post('/api/enablement/rooms/', { name: 'Globex deal' })).body
  await acme.manager.post(`/api/enablement/rooms/${room.id}/content`, { kind: 'text', title: 'Hello', body: 'Welcome' })
  await acme.manager.patch(`/api/enablement/rooms/${room.id}`, { status: 'active' })
  const { createSurvey, createLink, invite } = surveyActions(started, acme)
  const survey = await createSurvey({}, acme.manager)
  const { token } = await invite(survey.id)
  const linkToken = await createLink(survey, acme.manager)
  const publicUrls = [
    `/api/enablement/rooms/public/${room.share.share_token}`,
    respondUrl(token),
    respondUrl(linkToken),
  ]
  const worker = await startTestWorker()
  await waitUntil(() => isIdle(acme))
  const urls = [...listUrlsOf(app), `${survey.url}/responses`]
  const read = async () =>
    Promise.all(urls.map(async (url) => [url, withoutVolatile((await acme.admin.get(url)).body)]))
  const readPublic = async () =>
    Promise.all(publicUrls.map(async (url) => [url, (await acme.anonymous.get(url)).status] as const))
  const [before, linksBefore] = [await read(), await readPublic()]

  const backupId = await cleanWorkspace(acme, { keep_configuration: false })
  const linksWhileEmpty = await readPublic()
  const { body } = await restore(acme, backupId)
  const ended = await waitForTask(acme, body)
  await worker.stop()

  assert.equal(ended.state, 'succeeded', JSON.stringify(ended.error))
  const manifest = await assertRestored(acme, backupId)
  assert.ok(manifest.files.length > 0)
  assert.deepEqual([ended.result.files, ended.result.missing_files], [manifest.files.length, 0])
  const after = await read()
  for (const [index, [url, list]] of before.entries()) assert.deepEqual(after[index]![1], list, String(url))
  assert.deepEqual(await readPublic(), linksBefore)
  assert.deepEqual(
    [...new Set(linksBefore.map(([, status]) => status)), ...new Set(linksWhileEmpty.map(([, status]) => status))],
    [200, 404],
  )
})

async function isIdle({ id }: Acme): Promise<boolean> {
  const { rows } = await owner.query(
    `select (select count(*) from platform.outbox_events where tenant_id = $1::uuid and published_at is null)
       + (select count(*) from pgboss.job_common where group_id = $1::text and state in ('created', 'retry', 'active')
           and start_after <= now()) as open`,
    [id],
  )
  return Number(rows[0].open) === 0
}

test('one command restores a workspace, and people who were erased after the backup are erased again', async () => {
  const acme = await tenant()
  const { id } = (await acme.member.post('/api/leads/', { last_name: 'Moss', email: 'moss@person.example' })).body
  await acme.member.post('/api/leads/', { last_name: 'Reed' })
  const worker = await startTestWorker()
  const backup = (await acme.admin.post('/api/admin/backups', {})).body
  await waitForTask(acme, backup)
  await waitForTask(acme, (await acme.admin.post(`/api/leads/${id}/erase`, { confirm: 'ERASE' })).body)
  await cleanWorkspace(acme)

  const options = ['--backup', backup.backup_id, '--reason', 'Deleted by mistake', '--json']
  const restored = await createOperator(config).run('tenant', 'restore-backup', acme.slug, ...options)
  const readNames = async () =>
    (await owner.query('select last_name from crm.leads where tenant_id = $1 order by 1', [acme.id])).rows
  await waitUntil(async () => !(await readNames()).some(({ last_name }) => last_name === 'Moss'))
  await worker.stop()

  assert.equal(restored.exitCode, 0, restored.err)
  assert.deepEqual([restored.body.result.tables['crm.leads'], restored.body.result.repeated_erasures], [2, 1])
  assert.ok((await readNames()).some(({ last_name }) => last_name === 'Reed'))
})

test('a restore needs an own archive that exists, an empty workspace, the slug, an admin and a recent sign-in', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await acme.member.post('/api/leads/', { last_name: 'Moss' })
  const worker = await startTestWorker()
  const backupId = await cleanWorkspace(acme)
  const url = restoreUrl(backupId)

  const foreign = await other.admin.post(url, inputFor(other))
  const unknown = await acme.admin.post(restoreUrl(newId()), inputFor(acme))
  const wrong = await acme.admin.post(url, inputFor(acme, { confirm: 'another' }))
  const denied = await acme.manager.post(url, inputFor(acme))
  await acme.member.post('/api/leads/', { last_name: 'Reed' })
  const used = await restore(acme, backupId)
  const maintenance = await readMaintenance(acme)
  await acme.sql('delete from crm.activities where tenant_id = $1', [acme.id])
  await cleanWorkspace(acme, { backup: false })
  await storage.delete(storageKey(acme.id, 'backups', backupId))
  const removed = await waitForTask(acme, (await restore(acme, backupId)).body)
  await acme.sql(`update operations.backups set state = 'expired', expires_at = now() where id = $1`, [backupId])
  const expired = await restore(acme, backupId)
  await acme.sql(`update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes'`)
  const stale = await restore(acme, backupId)
  await worker.stop()

  assert.deepEqual([foreign.status, unknown.status, denied.status], [404, 404, 403])
  assert.deepEqual([wrong.status, wrong.body.errors[0].code], [422, 'mismatch'])
  assert.deepEqual([used.status, used.body.code, maintenance], [409, 'conflict', null])
  assert.match(used.body.detail, /crm\.leads/)
  assert.deepEqual([removed.state, removed.error.code], ['failed', 'conflict'])
  assert.deepEqual([expired.status, expired.body.code], [410, 'link_expired'])
  assert.deepEqual([stale.status, stale.body.code], [403, 'reauthentication_required'])
  assert.deepEqual([await readMaintenance(acme), await countLeads(acme)], [null, 0])
})
