// Tags, fields, opt-outs and restores of many leads: the same results as the routes of one lead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { countStatements, startTestApp, waitForTask, waitUntil } from '#testing'
import { createField, createTier } from '../../lookup/custom-fields/custom-fields.fixture.ts'
import { type Acme, createLeadWith, leadsUrl, listIds } from '../../people/leads/leads.fixture.ts'
import { bulkUpdate, createLeads, outcomesOf } from './bulk.fixture.ts'

const { tenant, services, startTestWorker } = await startTestApp()

const getLead = async (acme: Acme, id: string) => (await acme.member.get(`${leadsUrl}${id}`)).body
const errorOf = async (acme: Acme, request: object) => {
  const { status, body } = await bulkUpdate(acme, request)
  return [status, body.code, body.errors?.[0]?.path]
}

/** All that an update leaves, without ids and times of the lead. */
async function recordsOf(acme: Acme, id: string) {
  const list = async (text: string) => (await acme.sql(text, [id])).rows.map(({ line }) => line)
  const { id: _, name, created_at, updated_at, sla_due_at, assigned_at, scored_at, ...lead } = await getLead(acme, id)
  return {
    lead,
    events: await list(
      `select type || data::text as line from platform.outbox_events where subject_id = $1 and type <> 'lead.created' order by id`,
    ),
    audit: await list(
      `select action || changes::text as line from platform.audit_log where resource_id = $1::uuid and action <> 'lead.created' order by id`,
    ),
    provenance: await list(
      `select concat_ws(' ', field, source) as line from crm.field_provenance where entity_id = $1 order by field`,
    ),
    tags: await list('select tag as line from crm.record_tags where record_id = $1 order by tag'),
    index: await list('select txt as line from crm.custom_field_index where record_id = $1 order by 1'),
  }
}

test('tags are added and removed as by single updates', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [alone, together, full] = await createLeads(acme, 3, { tags: ['old', 'kept'] })
  const foreign = await createLeadWith(other, {})
  const deleted = await createLeadWith(acme, {})
  await acme.member.delete(`${leadsUrl}${deleted.id}`)
  await acme.member.patch(`${leadsUrl}${full}`, { tags: Array.from({ length: 49 }, (_, n) => `t${n}`) })
  const params = { tags: ['fair', 'kept', 'vip'] }

  await acme.member.patch(`${leadsUrl}${alone}`, { tags: ['old', 'kept', 'fair', 'vip'] })
  const lead_ids = [together, full, foreign.id, deleted.id]
  const added = await bulkUpdate(acme, { action: 'add_tags', lead_ids, params })
  const again = await bulkUpdate(acme, { action: 'add_tags', lead_ids: [together], params })

  assert.deepEqual(outcomesOf(added), ['ok', 'validation_failed', 'not_found', 'not_found'])
  assert.deepEqual(outcomesOf(again), ['unchanged'])
  assert.deepEqual(await recordsOf(acme, together!), await recordsOf(acme, alone!))
  assert.deepEqual((await listIds(acme, 'tag=fair')).sort(), [alone, together].sort())

  await acme.member.patch(`${leadsUrl}${alone}`, { tags: ['kept'] })
  const tags = ['old', 'fair', 'vip', 'unknown']
  const removed = await bulkUpdate(acme, { action: 'remove_tags', lead_ids: [together, full], params: { tags } })
  assert.deepEqual(outcomesOf(removed), ['ok', 'unchanged'])
  assert.deepEqual(await recordsOf(acme, together!), await recordsOf(acme, alone!))
  assert.deepEqual(await errorOf(acme, { action: 'add_tags', lead_ids }), [422, 'validation_failed', '/params/tags'])
})

test('fields are updated and checked as by single updates', async () => {
  const acme = await tenant()
  await createTier(acme, { is_filterable: true })
  const [alone, together, converted] = await createLeads(acme, 3, { phone: '030 901820', title: 'Engineer' })
  await acme.member.post(`${leadsUrl}${converted}/convert`)
  const fields = {
    title: 'CEO',
    company: 'Initech GmbH',
    country: 'DE',
    industry: 'Software',
    annual_revenue: { amount: '5000.00', currency: 'EUR' },
    source: 'fair_2026',
    custom: { tier: 'gold' },
  }

  const patched = await acme.member.patch(`${leadsUrl}${alone}`, fields)
  const lead_ids = [together, converted]
  const updated = await bulkUpdate(acme, { action: 'update_fields', lead_ids, params: { fields } })
  const notes = { action: 'update_fields', lead_ids, params: { fields: { notes: 'Met at the fair' } } }

  assert.equal(patched.status, 200, patched.text)
  assert.deepEqual(outcomesOf(updated), ['ok', 'lead_converted'], updated.text)
  const expected = await recordsOf(acme, alone!)
  assert.equal(expected.lead.phone_e164, '+4930901820')
  assert.deepEqual(await recordsOf(acme, together!), expected)
  assert.deepEqual(outcomesOf(await bulkUpdate(acme, notes)), ['ok', 'ok'])
  assert.deepEqual(outcomesOf(await bulkUpdate(acme, notes)), ['unchanged', 'unchanged'])

  const rejected = (given: object) => errorOf(acme, { action: 'update_fields', lead_ids, params: { fields: given } })
  const invalid = (path: string) => [422, 'validation_failed', path]
  assert.deepEqual(await rejected({ custom: { tier: 'lead' } }), invalid('/params/fields/custom/tier'))
  assert.deepEqual(await rejected({ custom: { nothing: 1 } }), invalid('/params/fields/custom/nothing'))
  assert.deepEqual(await rejected({ timezone: 'Mars' }), invalid('/params/fields/timezone'))
  assert.deepEqual(await rejected({ email: 'all@x.example' }), invalid('/params/fields/email'))
  assert.deepEqual(await rejected({}), invalid('/params/fields'))
  assert.deepEqual(await errorOf(acme, { action: 'update_fields', lead_ids }), invalid('/params/fields'))
})

test('a unique value stays with the first lead, and leads with an opt-out keep it under a new phone number', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'code', is_unique: true })
  const lead_ids = await createLeads(acme, 2, { phone: '030 901821' })
  const { body: other } = await acme.member.post(leadsUrl, { phone: '+4930901821' })
  const optOut = { call_status: 'do_not_call', basis: 'none', source: 'call' }
  await acme.member.put(`${leadsUrl}${other.id}/consent`, optOut)

  const unique = { action: 'update_fields', lead_ids, params: { fields: { custom: { code: 'A1' } } } }
  assert.deepEqual(outcomesOf(await bulkUpdate(acme, unique)), ['ok', 'already_exists'])
  const moved = await bulkUpdate(acme, { action: 'update_fields', lead_ids, params: { fields: { country: 'DE' } } })

  assert.deepEqual(outcomesOf(moved), ['ok', 'ok'], moved.text)
  for (const id of lead_ids) assert.equal((await getLead(acme, id)).call_status, 'do_not_call')
})

test('the number of statements of field updates and restores does not depend on the number of leads', async () => {
  const acme = await tenant()
  const ids: string[] = []
  for (let n = 0; n < 24; n++) ids.push((await createLeadWith(acme, { last_name: `Moss ${n}`, tags: [`t${n}`] })).id)
  const [few, many] = [ids.slice(0, 2), ids.slice(2)]
  const statementsOf = async (request: object, lead_ids: string[]) =>
    (await countStatements(services.db.pool, () => bulkUpdate(acme, { ...request, lead_ids }))).statements

  for (const request of [
    { action: 'add_tags', params: { tags: ['fair'] } },
    { action: 'update_fields', params: { fields: { company: 'Initech' } } },
    { action: 'delete' },
    { action: 'restore' },
  ]) {
    const difference = (await statementsOf(request, many)) - (await statementsOf(request, few))
    // Other work of the application can add some to either.
    assert.ok(difference < many.length - few.length, `${request.action}: ${difference} statements more`)
  }
})

test('leads are opted out at once, and so are their other records and later ones', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const worker = await startTestWorker()
  const [ada, nameless] = [await createLeadWith(acme, { email: 'ada@x.example' }), await createLeadWith(acme, {})]
  const { body: contact } = await acme.member.post('/api/contacts/', { email: 'Ada@x.example' })
  const foreign = await createLeadWith(other, { email: 'ada@x.example' })
  const request = { action: 'opt_out', lead_ids: [ada.id, nameless.id, foreign.id], params: { source: 'letter' } }

  const first = await bulkUpdate(acme, request)
  const second = await bulkUpdate(acme, request)

  assert.deepEqual(outcomesOf(first), ['ok', 'validation_failed', 'not_found'])
  assert.deepEqual(outcomesOf(second), ['unchanged', 'validation_failed', 'not_found'])
  assert.equal((await getLead(acme, ada.id)).email_status, 'unsubscribed')
  const { history } = (await acme.member.get(`${leadsUrl}${ada.id}/consent`)).body
  assert.partialDeepStrictEqual(history, [{ to: 'unsubscribed', source: 'letter' }])
  assert.equal((await createLeadWith(acme, { email: 'ada@x.example' })).email_status, 'unsubscribed')
  await waitUntil(
    async () => (await acme.member.get(`/api/contacts/${contact.id}`)).body.email_status === 'unsubscribed',
  )
  assert.equal((await getLead(other, foreign.id)).email_status, 'unknown')
  assert.equal((await acme.events()).filter((type) => type === 'person.opted_out').length, 1)
  await worker.stop()
})

test('deleted leads are restored with the permissions and conflicts of single restores', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await acme.admin.put('/api/leads/settings', { duplicates: { lead_email: 'reject' } })
  const own = await createLeadWith(acme, { email: 'ada@x.example' })
  await acme.member.delete(`${leadsUrl}${own.id}`)
  const twin = await createLeadWith(acme, { email: 'ada@x.example' })
  await acme.member.delete(`${leadsUrl}${twin.id}`)
  const [ofManager, live, foreign] = [
    await createLeadWith(acme, {}),
    await createLeadWith(acme, {}),
    await createLeadWith(other, {}),
  ]
  await acme.manager.delete(`${leadsUrl}${ofManager.id}`)
  await other.member.delete(`${leadsUrl}${foreign.id}`)
  const lead_ids = [own.id, twin.id, ofManager.id, live.id, foreign.id, newId()]

  const restored = await bulkUpdate(acme, { action: 'restore', lead_ids })
  const byManager = await acme.manager.post(`${leadsUrl}bulk`, { action: 'restore', lead_ids: [ofManager.id] })

  const missing = ['not_found', 'not_found', 'not_found']
  assert.deepEqual(outcomesOf(restored), ['ok', 'already_exists', 'forbidden', ...missing])
  assert.deepEqual(outcomesOf(byManager), ['ok'])
  assert.equal((await getLead(acme, own.id)).deleted_at, null)
  assert.equal((await acme.events()).filter((type) => type === 'lead.restored').length, 2)
  const byFilter = { action: 'restore', query: { status: ['new'] }, expected_count: 3 }
  assert.deepEqual(await errorOf(acme, byFilter), [422, 'validation_failed', '/lead_ids'])
})

test('more than 200 leads are changed by a task, with the failures listed', async () => {
  const acme = await tenant()
  const worker = await startTestWorker()
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, email, search_text, source, created_on)
     select $1, gen_random_uuid(), 'Moss', case when n > 3 then n || '@x.example' end, '', 'web', '2026-01-01' from generate_series(1, 203) n`,
    [acme.id],
  )
  const run = async (request: object) => {
    const started = await bulkUpdate(acme, { ...request, query: {}, expected_count: 203 })
    return (await waitForTask(acme, started.body)).result
  }

  const tagged = await run({ action: 'add_tags', params: { tags: ['fair'] } })
  const optedOut = await run({ action: 'opt_out' })
  await worker.stop()

  assert.partialDeepStrictEqual(tagged, { total: 203, succeeded: 203, failed: 0 })
  assert.partialDeepStrictEqual(optedOut, { total: 203, succeeded: 200, failed: 3 })
  assert.deepEqual([optedOut.failures.length, optedOut.failures[0].lead_ids.length], [1, 3])
  const { rows } = await acme.sql(
    `select count(*)::integer as leads from crm.leads where tenant_id = $1 and tags = '{fair}' and email_status = 'unsubscribed'`,
    [acme.id],
  )
  assert.equal(rows[0].leads, 200)
})
