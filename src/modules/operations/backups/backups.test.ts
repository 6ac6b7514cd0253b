import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { storageKey } from '#platform/storage'
import { runTenantSchedule, startTestApp, waitForValue, waitUntil } from '#testing'
import { ArchiveError, verifyArchive } from '../archives/read-archive.ts'
import { backUpTenantsSchedule } from './backups.jobs.ts'
import { createBackupTask } from './open-backup.ts'

const app = await startTestApp({}, { isOwn: true })
const worker = await app.startTestWorker()
const { storage } = app.services
const statusUrl = '/api/admin/backup-status'
type Acme = Awaited<ReturnType<typeof app.tenant>>
type Backup = {
  id: string
  state: string
  include_files: boolean
  row_counts: Record<string, number>
  sha256: string
  download_url: string
}

const itemsOf = async ({ admin }: Acme): Promise<Backup[]> => (await admin.get(statusUrl)).body.items

const finishBackup = (acme: Acme) =>
  waitForValue(
    async () => (await itemsOf(acme))[0]!,
    (item) => !['queued', 'running'].includes(item?.state),
  )

async function backUp(acme: Acme, body = {}) {
  const { status, text } = await acme.admin.post('/api/admin/backups', body)
  assert.equal(status, 202, text)
  return await finishBackup(acme)
}

const readArchive = async (acme: Acme, { id }: Backup) =>
  buffer((await storage.get(storageKey(acme.id, 'backups', id))).stream)

function unpack(archive: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-backup-'))
  try {
    writeFileSync(join(folder, 'archive.tar.gz'), archive)
    execFileSync('tar', ['-xzf', 'archive.tar.gz'], { cwd: folder })
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(nd)?json$/.test(name))
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a backup is verified and contains the rows of this workspace only, without credentials', async () => {
  const [acme, other] = [await app.tenant(), await app.tenant()]
  await acme.member.post('/api/leads/', { last_name: 'Möss "x"\n', email: 'moss@acme.example', tags: ['vip'] })
  await other.member.post('/api/leads/', { last_name: 'Marker-of-another-workspace' })
  await acme.admin.post('/api/api-keys', { name: 'Machine', scopes: ['leads.read'] })
  await acme.sql(
    `insert into operations.webhook_endpoints (tenant_id, id, url, event_types) values ($1, $2, $3, '{lead.*}')`,
    [acme.id, newId(), 'https://hooks.example.com/in?token=hush'],
  )

  const backup = await backUp(acme)
  const files = unpack(await readArchive(acme, backup))

  assert.equal(backup.state, 'succeeded')
  const text = [...files.values()].join('\n')
  assert.ok(!text.includes('Marker-of-another-workspace') && !text.includes(other.id))
  assert.doesNotMatch(text, /"password_hash":|\$argon2|refresh_token|key_digest|hush/)
  assert.match(text, /"https:\/\/hooks.example.com\/in"/)
  const lead = JSON.parse(files.get('data/crm.leads/000001.ndjson')!)
  assert.deepEqual([lead.last_name, lead.email, lead.tenant_id], ['Möss "x"', 'moss@acme.example', undefined])
  const manifest = JSON.parse(files.get('manifest.json')!)
  const order: string[] = manifest.tables.map(({ name }: { name: string }) => name)
  assert.ok(order.indexOf('identity.users') < order.indexOf('crm.leads'))
  assert.ok(order.indexOf('crm.accounts') < order.indexOf('crm.opportunities'))
  assert.deepEqual([backup.row_counts['crm.leads'], backup.row_counts['identity.users']], [1, 4])
  assert.equal(manifest.workspace.slug, acme.slug)
})

test('identity-10-9 backups of other workspaces are not found, ranges work, and an unfinished backup is a conflict', async () => {
  const [acme, other] = [await app.tenant(), await app.tenant()]
  const backup = await backUp(acme)
  const archive = await readArchive(acme, backup)

  const whole = await acme.admin.get(backup.download_url)
  const part = await acme.admin.get(backup.download_url, { range: 'bytes=10-19' })
  const elsewhere = await other.admin.get(backup.download_url)
  await acme.sql(`update operations.backups set state = 'queued' where id = $1`, [backup.id])
  const queued = await acme.admin.get(backup.download_url)
  await acme.sql(`update operations.backups set state = 'expired', expires_at = now() where id = $1`, [backup.id])
  const expired = await acme.admin.get(backup.download_url)

  assert.deepEqual([whole.status, whole.headers['content-length']], [200, String(archive.length)])
  assert.equal(whole.headers.etag, `"${createHash('sha256').update(archive).digest('hex')}"`)
  assert.equal(backup.sha256, createHash('sha256').update(archive).digest('hex'))
  assert.equal(whole.headers['cache-control'], 'no-store')
  assert.match(whole.headers['content-disposition'], /^attachment; filename="[\w-]+\.tar\.gz"$/)
  assert.deepEqual([part.status, part.headers['content-range']], [206, `bytes 10-19/${archive.length}`])
  assert.equal(elsewhere.status, 404)
  assert.equal(queued.status, 409)
  assert.deepEqual([expired.status, expired.body.code], [410, 'link_expired'])
})

test('a download needs a recent sign-in, is audited, and all admins are told', async () => {
  const acme = await app.tenant()
  const colleague = await acme.person('admin')
  const backup = await backUp(acme)

  await acme.admin.get(backup.download_url)
  const [mail] = await app.mails(colleague.email!, 1)
  await acme.sql(`update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes'`)
  const stale = await acme.admin.get(backup.download_url)

  assert.equal((await acme.admin.get('/api/admin/audit-log?action=backup.downloaded')).body.items.length, 1)
  assert.match(mail!.subject!, /A backup of your workspace was downloaded/)
  assert.deepEqual([stale.status, stale.body.code], [403, 'reauthentication_required'])
})

test('one backup at a time, and one whose worker is lost for a day does not block the next', async () => {
  const acme = await app.tenant()
  await acme.sql(
    `insert into operations.backups (tenant_id, id, kind, state, created_at)
     values ($1, $3, 'manual', 'running', $2)`,
    [acme.id, app.clock.now(), newId()],
  )
  await acme.sql(
    `insert into platform.background_tasks (tenant_id, id, kind, title, state, created_by, created_via)
     values ($1, $2, $3, 'Back up the workspace', 'queued', $4, 'user')`,
    [acme.id, newId(), createBackupTask.kind, acme.admin.userId],
  )

  const blocked = await acme.admin.post('/api/admin/backups', {})
  await acme.sql(`update operations.backups set created_at = created_at - interval '25 hours' where tenant_id = $1`, [
    acme.id,
  ])
  await backUp(acme)

  assert.equal(blocked.status, 409)
  assert.deepEqual((await itemsOf(acme)).map(({ state }) => state).toSorted(), ['failed', 'succeeded'])
})

/** Starts the next attempt of a failed backup without its delay, by default the second one. */
async function retryBackup(acme: Acme, attempt = 2) {
  const jobs = `from pgboss.job_common where name = 'backups' and state = 'retry' and group_id = $1`
  await waitUntil(async () => (await acme.sql(`select ${jobs}`, [acme.id])).rowCount === 1)
  await acme.sql('update platform.background_tasks set attempt = $2 where tenant_id = $1', [acme.id, attempt - 1])
  await acme.sql(`update pgboss.job_common set start_after = now() where id in (select id ${jobs})`, [acme.id])
  app.services.jobQueue.wake('backups')
}

async function failToStore(_key: string, body: Readable): Promise<never> {
  body.destroy()
  throw new Error('the disk is full')
}

test('a backup whose last attempt failed leaves nothing in the file store and is reported', async (context) => {
  const acme = await app.tenant()
  const put = context.mock.method(storage, 'put', failToStore)

  await acme.admin.post('/api/admin/backups', {})
  await retryBackup(acme, 5)
  const failed = await finishBackup(acme)
  put.mock.restore()
  const next = await backUp(acme)
  const { body } = await acme.admin.get(statusUrl)

  assert.deepEqual([failed.state, failed.download_url, put.mock.callCount()], ['failed', null, 2])
  assert.equal(next.state, 'succeeded')
  assert.ok(body.last_failure && body.last_success)
  assert.equal((await Array.fromAsync(storage.list(`${acme.id}/backups/`))).length, 1)
  assert.ok((await acme.events()).includes('backup.failed') && (await acme.events()).includes('backup.succeeded'))
})

test('a nightly backup that fails once is completed by its retry', async (context) => {
  const acme = await app.tenant()
  const store = storage.put.bind(storage)
  let failures = 1
  context.mock.method(storage, 'put', (...input: Parameters<typeof store>) =>
    input[0].startsWith(acme.id) && failures-- > 0 ? failToStore(input[0], input[1] as Readable) : store(...input),
  )

  const schedule = { ...backUpTenantsSchedule(app.services), listTenants: async () => [acme.id] }
  await runTenantSchedule({ db: app.db, systemDb: worker.systemDb }, schedule)
  await retryBackup(acme)
  const backup = await finishBackup(acme)

  assert.deepEqual([backup.state, failures], ['succeeded', -1])
  assert.ok(!(await acme.events()).includes('backup.failed'))
})

test('only the newest archives are kept', async () => {
  const acme = await app.tenant()
  await acme.admin.patch('/api/admin/settings', { retention: { backup_keep: 1 } })
  const first = await backUp(acme)
  await backUp(acme)

  assert.deepEqual(
    (await itemsOf(acme)).map(({ state }) => state),
    ['succeeded', 'expired'],
  )
  const head = () => storage.head(storageKey(acme.id, 'backups', first.id))
  await waitUntil(() =>
    head().then(
      () => false,
      () => true,
    ),
  )
})

test('the archive before a cleaning is not replaced by later backups, and is kept for 90 days', async () => {
  const acme = await app.tenant()
  await acme.admin.patch('/api/admin/settings', { retention: { backup_keep: 1 } })
  const { id } = await backUp(acme)
  await acme.sql(`update operations.backups set kind = 'pre_clean' where id = $1`, [id])
  await backUp(acme)
  await backUp(acme)
  const kept = (await itemsOf(acme)).map(({ state }) => state)
  const archives = async () => Array.fromAsync(storage.list(`${acme.id}/backups/`))
  await waitUntil(async () => (await archives()).length === 2)

  await acme.sql(`update operations.backups set created_at = created_at - interval '91 days' where id = $1`, [id])
  const schedule = { ...backUpTenantsSchedule(app.services), listTenants: async () => [acme.id] }
  await runTenantSchedule({ db: app.db, systemDb: worker.systemDb }, schedule)
  await finishBackup(acme)

  assert.deepEqual(kept, ['succeeded', 'expired', 'succeeded'])
  await assert.rejects(storage.head(storageKey(acme.id, 'backups', id)))
})

test('the nightly schedule backs up workspaces that have changed', async () => {
  const acme = await app.tenant()
  const schedule = backUpTenantsSchedule(app.services)
  // The workspaces of other tests have changed, too.
  const ofAcme: typeof schedule = {
    ...schedule,
    listTenants: async (...input) => (await schedule.listTenants(...input)).filter((id) => id === acme.id),
  }
  const run = async () => {
    await runTenantSchedule({ db: app.db, systemDb: worker.systemDb }, ofAcme)
    return await finishBackup(acme)
  }
  await run()
  await acme.sql("update operations.backups set created_at = now() + interval '1 minute' where tenant_id = $1", [
    acme.id,
  ])
  await run()
  const unchanged = (await itemsOf(acme)).length
  await acme.sql('update operations.backups set created_at = now() where tenant_id = $1', [acme.id])
  await run()
  const withoutEntries = (await itemsOf(acme)).length
  await acme.member.post('/api/enablement/pitch/practice', { transcript: 'Hello.' })
  await run()
  const withPrivatePractice = (await itemsOf(acme)).length
  await acme.sql("update operations.backups set created_at = now() - interval '1 day' where tenant_id = $1", [acme.id])
  await run()

  assert.deepEqual([unchanged, withoutEntries, withPrivatePractice, (await itemsOf(acme)).length], [1, 1, 2, 3])
})

test('nightly backups contain files if the workspace has chosen so', async () => {
  const acme = await app.tenant()
  const schedule = { ...backUpTenantsSchedule(app.services), listTenants: async () => [acme.id] }
  const run = async () => {
    await runTenantSchedule({ db: app.db, systemDb: worker.systemDb }, schedule)
    return await finishBackup(acme)
  }

  const first = await run()
  await acme.sql(`update operations.backups set created_at = now() - interval '1 day' where tenant_id = $1`, [acme.id])
  await acme.admin.patch('/api/admin/settings', { retention: { backup_files: true } })
  const second = await run()

  assert.deepEqual([first.include_files, second.include_files], [false, true])
})

test('a damaged archive is found', async () => {
  const acme = await app.tenant()
  await acme.member.post('/api/leads/', { last_name: 'Moss' })
  const archive = await readArchive(acme, await backUp(acme))
  const verify = (bytes: Buffer) => verifyArchive(Readable.from([bytes]))

  assert.equal((await verify(archive)).manifest.format, 1)
  for (const at of [20, Math.floor(archive.length / 2), archive.length - 5]) {
    const flipped = Buffer.from(archive)
    flipped[at]! ^= 1
    await assert.rejects(verify(flipped), ArchiveError, `byte ${at}`)
  }
  await assert.rejects(verify(archive.subarray(0, archive.length - 100)), ArchiveError)
})
