import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { runScheduleNow } from '#platform/jobs'
import { startTestApp, waitUntil } from '#testing'
import { purgeableRecords, purgeDeletedBatch } from '../../records/removal/purge-deleted.queries.ts'
import { prepareSuppressions } from '../consent/consent.fixture.ts'
import { lockLeadEmail, lockLeadIncludingDeleted } from '../lead-records/leads.queries.ts'

const { services, tenant, db, clock, startTestWorker } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/leads/'
const createLead = async (acme: Acme, lead: object = {}) =>
  (await acme.member.post(url, { last_name: 'Moss', ...lead })).body

test('members delete their own leads, managers any lead, and a deleted lead is not found', async () => {
  const acme = await tenant()
  const [own, colleagues, stale] = [
    await createLead(acme),
    await createLead(acme, { owner_id: acme.manager.userId }),
    await createLead(acme),
  ]

  const rejected = await acme.member.delete(`${url}${colleagues.id}`)
  const late = await acme.member.delete(`${url}${stale.id}`, { 'if-match': '"7"' })
  const deleted = await acme.member.delete(`${url}${own.id}`)
  const byManager = await acme.manager.delete(`${url}${colleagues.id}`)

  assert.deepEqual([rejected.status, rejected.body.code], [403, 'role_required'])
  assert.equal(late.status, 412)
  assert.deepEqual([deleted.status, deleted.text, byManager.status], [204, '', 204])
  for (const method of ['get', 'delete'] as const)
    assert.equal((await acme.manager[method](`${url}${own.id}`)).status, 404, method)
  assert.equal((await acme.member.patch(`${url}${own.id}`, { title: 'x' })).status, 404)
  assert.deepEqual(
    (await acme.member.get(url)).body.items.map(({ id }: { id: string }) => id),
    [stale.id],
  )
  assert.equal((await acme.events()).filter((type) => type === 'lead.deleted').length, 2)
})

test('one of two concurrent deletes of the same lead succeeds', async () => {
  const acme = await tenant()
  const { id } = await createLead(acme)

  const responses = await Promise.all([acme.manager.delete(`${url}${id}`), acme.admin.delete(`${url}${id}`)])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 404])
  assert.equal((await acme.events()).filter((type) => type === 'lead.deleted').length, 1)
})

test('managers and the user who deleted a lead can restore it for 30 days', async () => {
  const acme = await tenant()
  const [mine, theirs, old] = [await createLead(acme), await createLead(acme), await createLead(acme)]
  await acme.member.delete(`${url}${mine.id}`)
  for (const { id } of [theirs, old]) await acme.manager.delete(`${url}${id}`)
  await acme.sql(`update crm.leads set deleted_at = now() - interval '31 days' where id = $1`, [old.id])
  const restore = (by: 'member' | 'manager', { id }: { id: string }) => acme[by].post(`${url}${id}/restore`)

  const own = await restore('member', mine)
  const rejected = await restore('member', theirs)
  const byManager = await restore('manager', theirs)
  const twice = await restore('manager', theirs)
  const late = await restore('manager', old)

  assert.deepEqual([own.status, own.body.id, own.body.deleted_at], [200, mine.id, null])
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'role_required'])
  assert.equal(byManager.status, 200)
  assert.deepEqual([twice.status, late.status], [404, 404])
  assert.equal((await acme.events()).filter((type) => type === 'lead.restored').length, 2)
})

test('an opt-out while a lead was deleted applies to the restored lead', async () => {
  const acme = await tenant()
  const suppress = prepareSuppressions(acme, { db, services })
  const { id } = await createLead(acme, { email: 'ann@x.example', phone: '+4930901820' })
  await acme.member.delete(`${url}${id}`)
  await suppress('ann@x.example', 'email', 'complained')
  await suppress('+4930901820', 'phone', 'manual')

  const { body } = await acme.member.post(`${url}${id}/restore`)

  assert.deepEqual([body.email_status, body.call_status], ['complained', 'do_not_call'])
})

test('a deleted lead is not restored if another lead uses its email address', async () => {
  const acme = await tenant()
  await acme.manager.put('/api/leads/settings', { duplicates: { lead_email: 'reject' } })
  const first = await createLead(acme, { email: 'ann@acme.example' })
  await acme.manager.delete(`${url}${first.id}`)
  const second = await createLead(acme, { email: 'ANN@acme.example' })

  const { status, body } = await acme.manager.post(`${url}${first.id}/restore`)

  assert.deepEqual([status, body.code, body.existing_id], [409, 'already_exists', second.id])
})

test('the 404 response for a merged lead contains merged_into_id', async () => {
  const acme = await tenant()
  const [surviving, merged] = [await createLead(acme), await createLead(acme)]
  await acme.sql('update crm.leads set deleted_at = now(), merged_into_id = $2 where id = $1', [
    merged.id,
    surviving.id,
  ])

  const { status, body } = await acme.member.get(`${url}${merged.id}`)

  assert.deepEqual([status, body.code, body.merged_into_id], [404, 'not_found', surviving.id])
  assert.equal((await acme.manager.post(`${url}${merged.id}/restore`)).status, 404)
})

test('leads deleted more than 30 days ago are purged with their related rows', async () => {
  const acme = await tenant()
  const [old, recent, live] = [await createLead(acme, { tags: ['x'] }), await createLead(acme), await createLead(acme)]
  for (const { id } of [old, recent]) await acme.manager.delete(`${url}${id}`)
  await acme.sql(`update crm.leads set deleted_at = now() - interval '31 days' where id = $1`, [old.id])
  await startTestWorker()

  await runScheduleNow(services.jobQueue, 'crm.purge_deleted')

  const left = async () =>
    (await acme.sql('select id from crm.leads where tenant_id = $1 order by id', [acme.id])).rows.map(({ id }) => id)
  await waitUntil(async () => (await left()).length === 2)
  assert.deepEqual(await left(), [recent.id, live.id])
  for (const table of [
    'record_tags where record_id',
    'field_provenance where entity_id',
    'lifecycle_events where lead_id',
  ])
    assert.deepEqual((await acme.sql(`select from crm.${table} = $1`, [old.id])).rows, [], table)
  const lead = purgeableRecords.find(({ type }) => type === 'lead')!
  const again = await inTenant(db, systemActor(acme.id), (tx) =>
    purgeDeletedBatch(tx, lead, daysLater(clock.now(), -30)),
  )
  assert.equal(again, 0)
})

test('restoring a lead locks the email address before the lead', async () => {
  const acme = await tenant()
  await acme.manager.put(`${url}settings`, { duplicates: { lead_email: 'reject' } })
  const { id } = await createLead(acme, { email: 'ann@x.example' })
  await acme.member.delete(`${url}${id}`)

  let restored: Promise<{ status: number }> | undefined
  await inTenant(db, systemActor(acme.id), async (tx) => {
    await lockLeadEmail(tx, 'ann@x.example')
    restored = acme.manager.post(`${url}${id}/restore`)
    await sleep(300)
    await lockLeadIncludingDeleted(tx, id)
  })

  assert.equal((await restored!).status, 200)
})
