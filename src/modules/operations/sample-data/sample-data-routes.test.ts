import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForTask, waitUntil } from '#testing'
import { createIntegrityRunner } from '../integrity/integrity.fixture.ts'
import { createEndpoint } from '../webhook-endpoints/webhook-endpoints.fixture.ts'
import { listSampleTables, type Tenant } from './sample-workspace.fixture.ts'

const mails: unknown[] = []
const app = await startTestApp(
  { SAFE_FETCH_ALLOW_PRIVATE: 'true' },
  {
    onMail: (to) => void mails.push(to),
    prepare: ({ registry }) => {
      const { sampleDataOf } = registry
      registry.sampleDataOf = (services) =>
        sampleDataOf(services).map((share) => ({ ...share, plan: (plan) => share.plan({ ...plan, scale: 0.07 }) }))
    },
  },
)
await app.startTestWorker()
const statusUrl = '/api/admin/demo-data-status'
const loadUrl = '/api/admin/load-sample-data'

/** Waits for the work that the events of a workspace cause, and returns the other events and who was notified. */
async function readEffects({ id }: Tenant, ownLeadId: string) {
  const isPending = `select (select count(*) from platform.outbox_events where published_at is null)
    + (select count(*) from pgboss.job_common where state < 'completed' and start_after <= now()) as pending`
  await waitUntil(async () => Number((await app.owner.query(isPending)).rows[0].pending) === 0)
  // The schedule calculates readiness also during a long load.
  const { rows: events } = await app.owner.query(
    `select distinct type from platform.outbox_events
     where tenant_id = $1 and origin <> 'sample' and type <> 'readiness.level_changed' and subject_id <> $2`,
    [id, ownLeadId],
  )
  const { rows: notified } = await app.owner.query(
    'select distinct user_id, by_mail from platform.notifications where tenant_id = $1',
    [id],
  )
  return { events, notified }
}

async function readSellerLevels({ admin, sql, id }: Tenant): Promise<string[]> {
  const { rows: sellers } = await sql(
    `select id from identity.users where tenant_id = $1 and title like 'Account Executive%'`,
    [id],
  )
  const { items } = (await admin.get('/api/enablement/readiness')).body
  type Item = { user: { id: string }; level: string }
  return sellers.map((seller) => items.find(({ user }: Item) => user.id === seller.id)?.level)
}

async function listKeys({ id }: Tenant): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of app.services.storage.list(`${id}/files/`)) keys.push(key)
  return keys
}

async function readFaults({ id }: Tenant) {
  const results = await createIntegrityRunner(app.services).findAll(id)
  return results.filter(({ status, code }) => status !== 'ok' && code !== 'outbox_lag')
}

test('identity-10-12 sample data is loaded once, without email or webhook, and removed except for a lead that a user has changed', async () => {
  const acme = await app.tenant()
  const endpoint = await createEndpoint(acme, { event_types: ['lead.created'] })
  const own = (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body
  const none = (await acme.admin.get(statusUrl)).body
  const before = await listSampleTables(app.owner, acme)

  const first = await acme.admin.post(loadUrl)
  const second = await acme.admin.post(loadUrl)
  const load = await waitForTask(acme, first.body, 300)
  const effects = await readEffects(acme, own.id)
  const levels = await readSellerLevels(acme)
  const again = await acme.admin.post(loadUrl)
  const loaded = (await acme.admin.get(statusUrl)).body
  const leads = (await acme.member.get('/api/leads/?limit=100&sort=-created_at')).body.items
  const edited = leads.find(({ id }: { id: string }) => id !== own.id)
  const change = await acme.member.patch(`/api/leads/${edited.id}`, { title: 'Chief of Staff' })
  const modified = (await acme.admin.get(statusUrl)).body.modified_count
  const [forum] = (await acme.member.get('/api/community/rooms')).body.items
  const post = { room_id: forum.id, title: 'Our own thread', body: 'Stays' }
  const thread = await acme.member.post('/api/community/threads', post)
  const question = (await acme.member.get(`/api/community/threads?room_id=${forum.id}&unanswered=false`)).body.items[0]
  const [accountId] = (await listSampleTables(app.owner, acme)).account!
  const deal = { name: 'Own deal', account_id: accountId, close_on: '2030-01-31' }
  const { body: ownDeal } = await acme.member.post('/api/opportunities/', deal)
  await acme.member.patch(`/api/leads/${own.id}`, { owner_id: edited.owner_id })
  const storedFiles = await listKeys(acme)
  const removal = await waitForTask(acme, (await acme.admin.delete('/api/admin/sample-data')).body)
  const after = (await acme.admin.get(statusUrl)).body
  const remaining = (await acme.member.get('/api/leads/')).body.items.map(({ id }: { id: string }) => id)

  assert.deepEqual([none.state, none.loaded, none.counts], ['none', false, {}])
  assert.deepEqual([first.status, second.status, again.status], [202, 409, 409])
  assert.deepEqual([second.body.code, load.state, change.status], ['already_exists', 'succeeded', 200])
  assert.deepEqual([loaded.state, loaded.loaded, loaded.loaded_by.id], ['loaded', true, acme.admin.userId])
  assert.deepEqual([loaded.counts.user, loaded.counts.lead], [12, leads.length - 1])
  assert.ok(load.progress.total > 100 && load.progress.done === load.progress.total, JSON.stringify(load.progress))
  assert.deepEqual([loaded.modified_count, modified], [0, 1])
  assert.deepEqual([loaded.counts.thread, loaded.counts.reply], [5, 10])
  assert.deepEqual([thread.status, forum.thread_count, question.reply_count], [201, 5, 2])
  const kept = (await acme.member.get(`/api/community/threads?room_id=${forum.id}`)).body.items
  assert.deepEqual(
    kept.map(({ id }: { id: string }) => id),
    [thread.body.id],
  )
  assert.deepEqual([removal.state, removal.result.kept >= 1], ['succeeded', true])
  assert.equal(after.state, 'none')
  assert.deepEqual(remaining.toSorted(), [own.id, edited.id].toSorted())
  assert.deepEqual((await acme.member.get(`/api/leads/${own.id}`)).body.last_name, 'Moss')
  assert.equal((await acme.member.get(`/api/leads/${own.id}`)).body.owner_id, null)
  const expected = { lead: [own.id, edited.id].toSorted(), opportunity: [ownDeal.id], account: [accountId] }
  assert.partialDeepStrictEqual(await listSampleTables(app.owner, acme), { ...before, ...expected, activity: [] })
  assert.deepEqual([...new Set(levels)].sort(), ['at_risk', 'developing', 'not_ready', 'ready'])
  assert.deepEqual(effects.notified, [{ user_id: acme.admin.userId, by_mail: false }])
  assert.deepEqual(effects.events.map(({ type }) => type).sort(), ['task.succeeded', 'webhook_endpoint.created'])
  assert.deepEqual(await readFaults(acme), [])
  await waitUntil(async () => (await listKeys(acme)).length === 0)
  const { rowCount: files } = await acme.sql('select from platform.files where tenant_id = $1', [acme.id])
  assert.ok(storedFiles.length >= 7, `${storedFiles.length} files`)
  assert.equal(files, 0)
  assert.deepEqual(mails, [])
  const deliveries = (await acme.admin.get(`/api/webhooks/${endpoint.id}/deliveries`)).body.items
  assert.deepEqual(
    deliveries.map(({ event_type }: { event_type: string }) => event_type),
    ['lead.created'],
  )
})

test('a load that failed continues where it ended, and members may not load', async () => {
  const acme = await app.tenant()
  await acme.sql(
    `insert into operations.sample_batches (tenant_id, batch_id, state, loaded_by, planned_at)
     values ($1, gen_random_uuid(), 'removing', $2, now())`,
    [acme.id, acme.admin.userId],
  )
  const removing = await acme.admin.post(loadUrl)
  const retry = await acme.admin.delete('/api/admin/sample-data')
  const denied = [await acme.manager.post(loadUrl), await acme.manager.get(statusUrl)]

  assert.deepEqual([removing.status, retry.status], [409, 202])
  assert.equal((await waitForTask(acme, retry.body)).state, 'succeeded')
  assert.deepEqual(
    denied.map(({ status }) => status),
    [403, 403],
  )
  assert.equal((await acme.admin.delete('/api/admin/sample-data')).status, 404)
})
