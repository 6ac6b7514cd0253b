import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { newId } from '#platform/ids'
import { createSecretBox, generateKeyEntry } from '#platform/secrets'
import { storageKey } from '#platform/storage'
import { startTestApp, startWorkerProcess, waitForTask, waitUntil } from '#testing'
import { createOperator } from '../../../commands/operator.stand-in.ts'
import {
  practicePrivately,
  privateWord,
  readPractice,
  withdrawPractice,
} from '../../coaching/private-practice.fixture.ts'
import { createPractice, submissionUrl } from '../../pitches/pitches.fixture.ts'
import { respondUrl, surveyActions } from '../../surveys/surveys.fixture.ts'
import { listUrlsOf, pauseCadences, withoutVolatile } from '../backups/workspace-lists.fixture.ts'
import { loadSampleData } from '../sample-data/sample-data.flow.ts'
import { withSampleData } from '../sample-data/sample-workspace.fixture.ts'
import { createEndpoint, endpointsUrl } from '../webhook-endpoints/webhook-endpoints.fixture.ts'
import { createRestoreActions, inputFor, restoreUrl } from './restore.fixture.ts'

const started = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' }, { isOwn: true })
const { app, tenant, services, owner, clock, config, startTestWorker } = started
const { storage } = services
type Acme = Awaited<ReturnType<typeof tenant>>

const { cleanWorkspace, restore, backUp, assertRestored, toEarlierArchive, importCopy } = createRestoreActions(started)
const load = (acme: Acme, from = services) =>
  loadSampleData(from, { tenantId: acme.id, userId: acme.admin.userId, now: clock.now(), scale: 0.05 })
/** Few tables with rows are enough for an interruption between them. */
const fewServices = withSampleData(services, (shares) =>
  shares.filter(({ name }) => ['identity', 'crm'].includes(name)),
)
const readMaintenance = async ({ id }: Acme): Promise<string | null> =>
  (await owner.query('select maintenance from identity.tenants where id = $1', [id])).rows[0].maintenance
const countLeads = async ({ member }: Acme): Promise<number> => (await member.get('/api/leads/')).body.items.length

test('a restore whose worker is killed starts again and inserts every row once', { timeout: 120_000 }, async () => {
  const acme = await tenant()
  await load(acme, fewServices)
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
  await pauseCadences(acme)
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
  // One after the other, because the server refuses requests when a busy machine delays many.
  const read = () => Array.fromAsync(urls, async (url) => [url, withoutVolatile((await acme.admin.get(url)).body)])
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

test('one command restores a workspace, and people and users who were erased after the backup are erased again', async () => {
  const acme = await tenant()
  const { id } = (await acme.member.post('/api/leads/', { last_name: 'Moss', email: 'moss@person.example' })).body
  await acme.member.post('/api/leads/', { last_name: 'Reed' })
  const seller = await acme.person('member')
  await createPractice(seller, { transcript: 'Hello.' })
  const worker = await startTestWorker()
  const backup = (await acme.admin.post('/api/admin/backups', {})).body
  await waitForTask(acme, backup)
  await acme.admin.patch(`/api/users/${seller.userId}`, { status: 'deactivated' })
  await acme.admin.delete(`/api/users/${seller.userId}`)
  await waitForTask(acme, (await acme.admin.post(`/api/leads/${id}/erase`, { confirm: 'ERASE' })).body)
  await cleanWorkspace(acme)

  const options = ['--backup', backup.backup_id, '--reason', 'Deleted by mistake', '--json']
  const restored = await createOperator(config).run('tenant', 'restore-backup', acme.slug, ...options)
  const readNames = async () =>
    (await owner.query('select last_name from crm.leads where tenant_id = $1 order by 1', [acme.id])).rows
  await waitUntil(async () => !(await readNames()).some(({ last_name }) => last_name === 'Moss'))
  const pitches = 'select from enablement.pitch_submissions where tenant_id = $1'
  await waitUntil(async () => (await owner.query(pitches, [acme.id])).rowCount === 0)
  await worker.stop()

  assert.equal(restored.exitCode, 0, restored.err)
  assert.deepEqual([restored.body.result.tables['crm.leads'], restored.body.result.repeated_erasures], [2, 2])
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

const practiceTables = [
  'coaching_sessions',
  'roleplay_messages',
  'pitch_submissions',
  'pitch_reviews',
  'pitch_comments',
]

test('private practice is sealed in archives, and a restore brings it back for its owner only', async () => {
  const acme = await tenant()
  const worker = await startTestWorker()
  const endpoint = await createEndpoint(acme, { event_types: ['*'] })
  const practice = await practicePrivately(started, acme)
  const withdrawn = submissionUrl(await withdrawPractice(acme))
  const shared = await createPractice(acme.member, { transcript: 'A sharedword.', review_requested: true })
  await waitUntil(() => isIdle(acme))
  const { rows: files } = await owner.query('select id from platform.files where tenant_id = $1', [acme.id])
  const secrets = [privateWord, practice.roleplayId, practice.pitchId, ...files.map(({ id }) => id)]
  const read = async (user = acme.member) => ({
    ...(await readPractice(started, acme, practice, user)),
    withdrawn: (await user.get(withdrawn)).body,
  })
  const before = await read()

  const seenByAdmin = await Promise.all(
    [
      '/api/admin/audit-log?limit=200',
      '/api/tasks/?limit=200',
      '/api/auth/notifications',
      `/api/search?q=${privateWord}`,
      `${endpointsUrl}/${endpoint.id}/deliveries?limit=200`,
      '/api/admin/system-stats',
      `/api/users/${acme.member.userId}/profile`,
    ].map(async (url) => ({ url, ...(await acme.admin.get(url)) })),
  )
  const [withoutFiles, withFiles] = [await backUp(acme, {}), await backUp(acme, { include_files: true })]
  await cleanWorkspace(acme, { backup: false })
  const emptied = await read()
  const { state, result } = await waitForTask(acme, (await restore(acme, withFiles.id)).body)
  await worker.stop()

  for (const { url, status, text } of seenByAdmin) {
    assert.equal(status, 200, url)
    assert.deepEqual(
      [url, secrets.filter((secret) => text.includes(secret) && secret !== url.split('q=')[1])],
      [url, []],
    )
  }
  const deliveries = seenByAdmin[4]!.body.items
  assert.ok(deliveries.length > 2, JSON.stringify(deliveries))
  for (const { archive, counts } of [withoutFiles, withFiles]) {
    const content = gunzipSync(archive)
    assert.ok(content.includes('sharedword') && content.includes(shared.id))
    assert.deepEqual(
      secrets.filter((secret) => content.includes(secret)),
      [],
    )
    assert.deepEqual(
      [...practiceTables.map((name) => counts[`enablement.${name}`]), counts['platform.files']],
      [0, 0, 1, 0, 0, 0],
    )
  }
  assert.deepEqual([before.statuses, emptied.statuses], [Array(4).fill(200), Array(4).fill(404)])
  assert.ok(before.withdrawn.reviews.length && before.withdrawn.comments.length)
  assert.deepEqual([state, result.files, result.missing_files], ['succeeded', 0, 0])
  assert.deepEqual(await read(), before)
  assert.deepEqual((await read(acme.admin)).statuses, Array(4).fill(404))
  for (const archive of [withFiles.archive, await toEarlierArchive(withFiles.archive)]) {
    const copy = await importCopy(archive, services.secrets)
    assert.deepEqual(copy, { isComplete: true, sessions: 1, files: files.length })
  }
  const elsewhere = await importCopy(withFiles.archive, createSecretBox(generateKeyEntry('other')))
  assert.deepEqual(elsewhere, { isComplete: false, sessions: 0, files: 0 })
})
