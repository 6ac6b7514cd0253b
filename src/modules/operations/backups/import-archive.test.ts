import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { mayContact } from '#modules/crm'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { createPartitionsBetween, inSystem, inTenant, type SystemTx } from '#platform/db'
import { newId } from '#platform/ids'
import { listExportColumns } from '#platform/module'
import { storageKey } from '#platform/storage'
import { password, startTestApp, waitForValue, waitUntil } from '#testing'
import { createOperator } from '../../../commands/operator.stand-in.ts'
import { sealAllEntries } from '../../../platform/audit/seal-all-entries.fixture.ts'
import { recordOptOut } from '../../crm/people/consent/record-opt-out.service.ts'
import { verifyArchive } from '../archives/read-archive.ts'
import { createIntegrityRunner } from '../integrity/integrity.fixture.ts'
import { loadSampleData } from '../sample-data/sample-data.flow.ts'
import { readArchivedRows } from './archive-rows.fixture.ts'
import { listUrlsOf, pauseCadences, withoutVolatile } from './workspace-lists.fixture.ts'

const { app, tenant, services, config, owner, clock, client, domain, systemDb, startTestWorker } = await startTestApp(
  {},
  { isOwn: true },
)
const worker = await startTestWorker()
const operator = createOperator(config)
const folder = await mkdtemp(join(tmpdir(), 'tributary-import-'))
after(() => rm(folder, { recursive: true }))

const optOut = { email: 'erased@person.example', channel: 'email', reason: 'erased', source: 'test' } as const
const acme = await tenant()
const other = await tenant()
await other.member.post('/api/leads/', { last_name: 'Marker-of-another-workspace' })
await acme.admin.post('/api/custom-fields/', {
  object_type: 'lead',
  key: 'seats',
  label: 'Seats',
  type: 'number',
  is_filterable: true,
})
await loadSampleData(services, { tenantId: acme.id, userId: acme.admin.userId, now: clock.now(), scale: 0.05 })
await pauseCadences(acme)
await acme.member.post('/api/leads/', { last_name: 'Moss', custom: { seats: 12 }, tags: ['vip'] })
await acme.admin.post('/api/api-keys', { name: 'Machine', scopes: ['leads.read'] })
await inTenant(services.db, systemActor(acme.id), (tx) => recordOptOut(tx, services, optOut))
const fileId = newId()
await services.storage.put(storageKey(acme.id, 'files', fileId), Buffer.from('content'))
await owner.query(
  `insert into platform.files (tenant_id, id, purpose, filename, media_type, size_bytes, sha256, scan_status, scan_engine, created_at)
   values ($1, $2, 'content', 'a.txt', 'text/plain', 7, sha256('content'), 'skipped', 'none', now() + interval '1 minute')`,
  [acme.id, fileId],
)
const threeYearsAgo = daysLater(new Date(), -3 * 365)
const partitions = {
  inSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
  signal: AbortSignal.timeout(60_000),
}
await createPartitionsBetween(partitions, 'plg.events', { since: threeYearsAgo, until: threeYearsAgo })
await owner.query(
  `insert into plg.events (tenant_id, event_id, ingest_seq, name, occurred_at, received_at) values ($1, 'old', 1, 'signed_in', $2, $2)`,
  [acme.id, threeYearsAgo],
)
// Previews and texts of files would change rows during the backup.
const openJobs = `select from pgboss.job where group_id = $1::text and name = 'media' and state in ('created', 'retry', 'active')`
await waitUntil(async () => (await owner.query(openJobs, [acme.id])).rowCount === 0)
await acme.admin.post('/api/admin/backups', { include_files: true })
const backup = await waitForValue(
  async () => (await acme.admin.get('/api/admin/backup-status')).body.items[0],
  ({ state }) => !['queued', 'running'].includes(state),
)
// Schedules would change statistics of the workspace after its backup.
await worker.stop()
const archive = await buffer((await services.storage.get(storageKey(acme.id, 'backups', backup.id))).stream)

const oldPartition = `plg.events_${threeYearsAgo.toISOString().slice(0, 7).replace('-', '')}`
await owner.query(`drop table ${oldPartition}`)

const countRows = async (table: string, tenantId: string): Promise<number> =>
  (await owner.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [tenantId])).rows[0].n
const countTenants = async () => (await owner.query('select count(*)::int as n from identity.tenants')).rows[0].n
const importFile = async (slug: string, content: Buffer) => {
  await writeFile(join(folder, `${slug}.tar.gz`), content)
  return await operator.run('tenant', 'import', '--slug', slug, '--file', join(folder, `${slug}.tar.gz`), '--json')
}

const listUrls = listUrlsOf(app)

test('identity-10-8 an import into a new workspace has the same rows and gives the same responses', async () => {
  const imported = await operator.run(
    'tenant',
    'import',
    '--slug',
    'copy',
    '--from',
    acme.slug,
    '--backup',
    backup.id,
    '--json',
  )
  assert.equal(imported.exitCode, 0, imported.err)
  const id = imported.body.tenant_id

  const text = gunzipSync(archive).toString()
  assert.ok(
    !text.includes('Marker-of-another-workspace') && !text.includes('"password_hash":') && !text.includes(other.id),
  )
  assert.ok(backup.verified_at && backup.row_counts['crm.leads'] > 5)
  for (const [table, count] of Object.entries(backup.row_counts)) {
    if (table === 'platform.audit_seals') continue
    assert.deepEqual(
      [table, await countRows(table, id)],
      [table, table === 'platform.audit_log' ? Number(count) + 1 : count],
    )
  }
  for (const table of ['crm.search_texts', 'crm.lead_durations', 'crm.custom_field_index'])
    assert.deepEqual([table, await countRows(table, id)], [table, await countRows(table, acme.id)])

  const { rows: partition } = await owner.query(`select event_id from ${oldPartition}`)
  assert.deepEqual(partition, [{ event_id: 'old' }])
  const file = await services.storage.get(storageKey(id, 'files', fileId))
  assert.deepEqual(
    [(await buffer(file.stream)).toString(), imported.body.files],
    ['content', await countRows('platform.files', id)],
  )

  const host = `copy.${domain}`
  const email = acme.admin.email
  const denied = await client({ host }).post('/api/auth/login', { email, password })
  const reset = await operator.run('user', 'reset-password', '--tenant', 'copy', '--email', email, '--json')
  const token = JSON.stringify(reset.body).match(/#token=([\w-]+)/)![1]
  await client({ host }).post('/api/auth/reset-password', { token, new_password: 'another correct horse' })
  const login = await client({ host }).post('/api/auth/login', { email, password: 'another correct horse' })
  const copy = client({ host, headers: { authorization: `Bearer ${login.body.access_token}` } })

  const permission = await inTenant(services.db, systemActor(id), (tx) =>
    mayContact(tx, services, [optOut.email], { channel: 'email' }),
  )
  assert.equal(permission.get(optOut.email)?.allowed, false)
  assert.deepEqual([denied.status, login.status], [401, 200])
  assert.ok(listUrls.length > 15, String(listUrls))
  for (const url of listUrls) {
    const [original, restored] = [await acme.admin.get(url), await copy.get(url)]
    assert.equal(restored.status, original.status, url)
    assert.deepEqual(withoutVolatile(restored.body), withoutVolatile(original.body), url)
  }
  await sealAllEntries(systemDb, owner)
  const results = await createIntegrityRunner(services).findAll(id)
  assert.deepEqual(
    results.filter(({ status, code }) => status !== 'ok' && code !== 'outbox_lag'),
    [],
  )
})

/** Written by commit 83dbbc5, whose schema version is 0102. */
const earlierArchive = await readFile(join(import.meta.dirname, 'earlier-version.fixture.tar.gz'))

test('an archive of an earlier version is imported with every row and value, and what was added since works', async () => {
  const { manifest } = await verifyArchive(Readable.from([earlierArchive]))

  const imported = await importFile('earlier', earlierArchive)

  assert.equal(imported.exitCode, 0, imported.err)
  const id = imported.body.tenant_id
  assert.ok(manifest.schema_version.startsWith('0102_'))
  const exported = await inTenant(services.db, systemActor(id), (tx) => listExportColumns(tx, services.registry.tables))
  const renewed = ['platform.audit_log digest', 'platform.audit_log epoch', 'platform.audit_log xact']
  const rowsOf = await readArchivedRows(earlierArchive)
  for (const { name, columns, rows } of manifest.tables) {
    if (name === 'platform.audit_seals') continue
    const compared = columns.filter(
      (column) => exported.get(name)!.includes(column) && !renewed.includes(`${name} ${column}`),
    )
    const isOwnEntry = name === 'platform.audit_log' ? `and action <> 'tenant.imported'` : ''
    const current = await owner.query(
      `select to_json(found)::text as line from (
         select ${compared.map((column) => `"${column}"`)} from ${name} where tenant_id = $1 ${isOwnEntry}) as found`,
      [id],
    )
    const pick = (line: string) => {
      const row = JSON.parse(line)
      return JSON.stringify(compared.map((column) => row[column]))
    }
    assert.equal(current.rows.length, rows, name)
    assert.deepEqual(current.rows.map(({ line }) => pick(line)).sort(), (rowsOf.get(name) ?? []).map(pick).sort(), name)
  }
  assert.equal(imported.body.files, manifest.files.length)
  for (const file of manifest.files) {
    const { stream } = await services.storage.get(storageKey(id, 'files', file.id))
    assert.equal(hash('sha256', await buffer(stream)), file.sha256)
  }
  const fields = await owner.query(
    'select key, unique_state from crm.custom_fields where tenant_id = $1 order by key',
    [id],
  )
  assert.deepEqual(fields.rows, [
    { key: 'code', unique_state: 'ready' },
    { key: 'seats', unique_state: 'none' },
  ])
  const sums = await owner.query('select coalesce(sum(deals), 0)::int as n from crm.deal_deltas where tenant_id = $1', [
    id,
  ])
  assert.ok(sums.rows[0].n > 0)
  await sealAllEntries(systemDb, owner)
  const results = await createIntegrityRunner(services).findAll(id)
  assert.deepEqual(
    results.filter(({ status, code }) => status !== 'ok' && code !== 'outbox_lag'),
    [],
  )
})

test('a damaged archive, one of a later schema version and a used slug are rejected and leave nothing', async () => {
  const tenants = await countTenants()
  const flipped = Buffer.from(archive)
  flipped[Math.floor(flipped.length / 2)]! ^= 1

  const damaged = await importFile('damaged', flipped)
  const used = await importFile(acme.slug, archive)
  const invalid = await importFile('no--slug', archive)
  const unknown = await operator.run(
    'tenant',
    'import',
    '--slug',
    'unknown',
    '--file',
    join(folder, 'missing'),
    '--json',
  )
  const rename = (from: string, to: string) =>
    owner.query('update public.migrations set name = $2 where name = $1', [from, to])
  const { manifest } = await verifyArchive(Readable.from([archive]))
  await rename(manifest.schema_version, '0000_other')
  const newer = await importFile('newer', archive)
  await rename('0000_other', manifest.schema_version)

  assert.deepEqual(
    [damaged, used, invalid, unknown, newer].map(({ exitCode }) => exitCode),
    [4, 4, 2, 2, 4],
  )
  assert.match(newer.body.error.message, /schema version/)
  assert.equal(await countTenants(), tenants)
})

test('a failed import leaves no row', async () => {
  const tenants = await countTenants()
  const accounts = (await owner.query('select count(*)::int as n from crm.accounts')).rows[0].n
  await owner.query(`alter table crm.leads add constraint leads_rejected check (last_name <> 'Moss') not valid`)

  const failed = await importFile('failed', archive)
  await owner.query('alter table crm.leads drop constraint leads_rejected')

  assert.equal(failed.exitCode, 1)
  assert.equal(await countTenants(), tenants)
  assert.equal((await owner.query('select count(*)::int as n from crm.accounts')).rows[0].n, accounts)
})

test('references to rows that an import inserts later can be deferred', async () => {
  const { manifest } = await verifyArchive(Readable.from([archive]))
  const order = manifest.tables.map(({ name }) => name)
  const { rows } = await owner.query(
    `select conname, condeferrable, conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
     where contype = 'f' and conparentid = 0`,
  )
  const later = rows.filter(({ from, to }) => order.includes(from) && order.indexOf(to) >= order.indexOf(from))

  assert.ok(later.length > 3)
  assert.deepEqual(
    later.filter(({ condeferrable }) => !condeferrable).map(({ conname }) => conname),
    [],
  )
})
