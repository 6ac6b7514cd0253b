import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask } from '#testing'
import {
  addMembers,
  campaignsUrl,
  getCampaign,
  listMembers,
  newCampaign,
  newLead,
} from '../campaigns/campaigns.fixture.ts'

const { tenant, startTestWorker } = await startTestApp()
await startTestWorker()

type Acme = Awaited<ReturnType<typeof tenant>>

async function insertLeads(acme: Acme, count: number): Promise<string[]> {
  const { rows } = await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Lead ' || n, 'import', ' lead ' || n, now(), current_date
     from generate_series(1, $2::integer) n returning id`,
    [acme.id, count],
  )
  return rows.map(({ id }) => id)
}

test('crm-4-10 10,000 ids are added by a task with exact counts, and unknown ids are listed', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const leads = await insertLeads(acme, 960)
  const unknown = Array.from({ length: 9_010 }, () => newId())
  const known = leads.slice(0, 30)
  await acme.member.post(`${campaignsUrl}${id}/members`, { lead_ids: known })
  const lead_ids = [...leads.slice(0, 500), ...unknown, ...leads.slice(500)]
  const contact_ids = Array.from({ length: 30 }, () => newId())

  const started = await acme.member.post(`${campaignsUrl}${id}/members`, { lead_ids, contact_ids, status: 'sent' })
  const task = await waitForTask(acme, started.body, 120)

  assert.equal(started.status, 202)
  assert.equal(task.state, 'succeeded', JSON.stringify(task.error))
  assert.equal(task.progress.done, 10_000)
  const { added, already_member, failed_count, failed } = task.result
  assert.deepEqual([added, already_member, failed_count], [930, 30, 9_040])
  assert.deepEqual(
    failed,
    unknown.slice(0, 500).map((missing) => ({ id: missing, code: 'not_found' })),
  )
  assert.equal((await getCampaign(acme, id)).member_count, 960)
  const tooMany = await acme.member.post(`${campaignsUrl}${id}/members`, {
    lead_ids,
    contact_ids: [newId(), ...contact_ids],
  })
  assert.equal(tooMany.status, 422)
})

test('the status of many members is changed by a task', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const leads = await insertLeads(acme, 250)
  const url = `${campaignsUrl}${id}/members`
  await waitForTask(acme, (await acme.member.post(url, { lead_ids: leads })).body)
  const { rows } = await acme.sql('select id from marketing.campaign_members where campaign_id = $1', [id])
  const member_ids = rows.map((row) => row.id as string)

  const started = await acme.member.post(`${url}/bulk-status`, { member_ids, status: 'replied' })
  const task = await waitForTask(acme, started.body)

  assert.equal(started.status, 202)
  assert.deepEqual(task.result, { updated: 250, unchanged: 0, failed_count: 0, failed: [] })
  assert.equal((await getCampaign(acme, id)).responded_count, 250)
  const { rows: activities } = await acme.sql(
    `select count(*)::integer as count from crm.activities where tenant_id = $1 and type = 'campaign_responded'`,
    [acme.id],
  )
  assert.equal(activities[0].count, 250)
})

test('a repeated request with an idempotency key gets the task of the first one', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const ids = Array.from({ length: 201 }, () => newId())
  const requests: [path: string, body: object][] = [
    ['members', { lead_ids: ids }],
    ['members/bulk-status', { member_ids: ids, status: 'sent' }],
  ]

  for (const [path, body] of requests) {
    const send = () => acme.member.post(`${campaignsUrl}${id}/${path}`, body, { 'idempotency-key': path })
    const [first, second] = [await send(), await send()]

    assert.deepEqual([first.status, second.status], [202, 202], first.text)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.deepEqual(second.body, first.body)
  }
})

const memberIdsOf = async (acme: Acme, id: string, status: string) =>
  (
    await acme.sql('select id from marketing.campaign_members where campaign_id = $1 and status = $2', [id, status])
  ).rows.map((row) => row.id as string)

test('members are removed by their ids or by a status, up to 200 at once', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const url = `${campaignsUrl}${id}/members`
  const [first, second, third] = (await insertLeads(acme, 3)) as [string, string, string]
  await acme.member.post(url, { lead_ids: [first, second], status: 'sent' })
  await acme.member.post(url, { lead_ids: [third], status: 'opened' })
  const sent = await memberIdsOf(acme, id, 'sent')
  const unknown = newId()

  const byId = await acme.manager.post(`${url}/bulk-remove`, { member_ids: [sent[0], sent[0], unknown] })
  const byStatus = await acme.manager.post(`${url}/bulk-remove`, { status: 'sent' })
  const again = await acme.manager.post(`${url}/bulk-remove`, { status: 'sent' })
  const both = await acme.manager.post(`${url}/bulk-remove`, { member_ids: sent, status: 'sent' })
  const neither = await acme.manager.post(`${url}/bulk-remove`, {})
  const wrong = await acme.manager.post(`${url}/bulk-remove`, { status: 'unheard_of' })

  assert.deepEqual(byId.body, { removed: 1, failed_count: 1, failed: [{ id: unknown, code: 'not_found' }] })
  assert.deepEqual([byStatus.body.removed, again.body.removed], [1, 0])
  assert.deepEqual([both.status, neither.status, wrong.status], [422, 422, 422])
  assert.deepEqual([(await getCampaign(acme, id)).member_count, await memberIdsOf(acme, id, 'sent')], [1, []])
  assert.equal((await acme.events()).filter((type) => type === 'campaign.member_removed').length, 2)
  assert.equal((await acme.audit()).filter((action) => action === 'campaign.members_removed').length, 2)
  assert.equal((await acme.member.get(`/api/leads/${first}`)).status, 200)
})

test('many members are removed by a task, those with another status stay', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const url = `${campaignsUrl}${id}/members`
  await waitForTask(
    acme,
    (await acme.member.post(url, { lead_ids: await insertLeads(acme, 700), status: 'sent' })).body,
  )
  const [kept] = await memberIdsOf(acme, id, 'sent')
  await acme.member.patch(`${url}/${kept}`, { status: 'opened' })

  const started = await acme.manager.post(`${url}/bulk-remove`, { status: 'sent' })
  const task = await waitForTask(acme, started.body)

  assert.deepEqual([started.status, task.state], [202, 'succeeded'])
  assert.deepEqual(task.result, { removed: 699, failed_count: 0, failed: [] })
  assert.equal((await getCampaign(acme, id)).member_count, 1)
})

test('a member removes many members of own campaigns only, and those of an archived or foreign one stay', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme, { owner_id: acme.manager.userId })
  const own = await newCampaign(acme, { owner_id: acme.member.userId })
  const remove = (campaignId: string, by = acme.member) =>
    by.post(`${campaignsUrl}${campaignId}/members/bulk-remove`, { status: 'sent' })

  const results = [await remove(id), await remove(own.id), await remove(own.id, (await tenant()).manager)]
  await acme.manager.patch(`${campaignsUrl}${id}`, { status: 'archived' })
  const archived = await remove(id, acme.manager)

  assert.deepEqual(
    [...results, archived].map(({ status }) => status),
    [403, 200, 404, 409],
  )
})

test('the campaigns of a contact are listed in pages, latest first', async () => {
  const acme = await tenant()
  const { body: contact } = await acme.member.post('/api/contacts/', { last_name: 'Moss' })
  const campaigns = [await newCampaign(acme), await newCampaign(acme), await newCampaign(acme)]
  for (const { id } of campaigns) await acme.member.post(`${campaignsUrl}${id}/members`, { contact_ids: [contact.id] })
  const url = `/api/contacts/${contact.id}/campaigns`

  const first = await acme.viewer.get(`${url}?limit=2`)
  const second = await acme.viewer.get(`${url}?limit=2&cursor=${first.body.next_cursor}`)

  const names = [...first.body.items, ...second.body.items].map(({ campaign }) => campaign.name)
  assert.deepEqual(names, campaigns.map(({ name }) => name).reverse())
  assert.equal((await (await tenant()).viewer.get(url)).status, 404)
})

test('leads are added to a campaign in bulk, without those who have opted out', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { id: campaign_id } = await newCampaign(acme)
  const [ada, member, out, deleted] = [
    await newLead(acme),
    await newLead(acme),
    await newLead(acme, { email: 'out@x.example' }),
    await newLead(acme),
  ]
  await addMembers(acme, campaign_id, { lead_ids: [member] })
  const optOut = { email_status: 'unsubscribed', basis: 'none', source: 'letter' }
  await acme.member.put(`/api/leads/${out}/consent`, optOut)
  await acme.member.delete(`/api/leads/${deleted}`)
  const lead_ids = [ada, member, out, deleted, await newLead(other)]
  const add = (params: object, user: Pick<Acme['member'], 'post'> = acme.member) =>
    user.post('/api/leads/bulk', { action: 'add_to_campaign', lead_ids, params })
  const errorOf = async (response: ReturnType<typeof add>) => {
    const { status, body } = await response
    return [status, body.code, body.errors?.[0]?.path]
  }

  const { body } = await add({ campaign_id, member_status: 'sent' })
  const again = await add({ campaign_id })

  const outcomesOf = (results: { outcome: string; code: string | null }[]) =>
    results.map(({ outcome, code }) => code ?? outcome)
  const missing = ['not_found', 'not_found']
  assert.deepEqual(outcomesOf(body.results), ['ok', 'unchanged', 'opted_out', ...missing])
  assert.deepEqual(outcomesOf(again.body.results), ['unchanged', 'unchanged', 'opted_out', ...missing])
  assert.equal((await listMembers(acme, campaign_id)).length, 2)
  const { id: foreign } = await newCampaign(other)
  assert.deepEqual(await errorOf(add({ campaign_id: foreign })), [422, 'unknown_reference', '/params/campaign_id'])
  assert.deepEqual(await errorOf(add({})), [422, 'validation_failed', '/params/campaign_id'])
  const unknown = await errorOf(add({ campaign_id, member_status: 'nope' }))
  assert.deepEqual([unknown[0], unknown[2]], [422, '/params/member_status'])
  const key = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['leads.write'] })
  const rejected = await add({ campaign_id }, acme.bearer(`ApiKey ${key.body.key}`))
  assert.deepEqual([rejected.status, rejected.body.required_scope], [403, 'campaigns.write'])
})

test('contacts are added to a campaign in bulk, also those of accounts and converted leads', async () => {
  const acme = await tenant()
  const { id: campaign_id } = await newCampaign(acme)
  const { body: account } = await acme.member.post('/api/accounts/', { name: 'Initech' })
  const { body: contact } = await acme.member.post('/api/contacts/', { last_name: 'Moss', account_id: account.id })
  const lead = await newLead(acme)
  const { body: converted } = await acme.member.post(`/api/leads/${lead}/convert`)
  const { body: out } = await acme.member.post('/api/contacts/', { email: 'out@x.example' })
  await acme.member.post('/api/contacts/opt-out', { contact_ids: [out.id] })
  const contact_ids = [contact.id, converted.contact.id, out.id, newId()]
  const add = (params: object) =>
    acme.member.post('/api/contacts/bulk', { action: 'add_to_campaign', contact_ids, params })

  const results = [await add({ campaign_id, member_status: 'sent' }), await add({ campaign_id })]

  const outcomes = results.map(({ body }) =>
    body.results.map(({ outcome, code }: { outcome: string; code: string | null }) => code ?? outcome),
  )
  assert.deepEqual(outcomes, [
    ['ok', 'ok', 'opted_out', 'not_found'],
    ['unchanged', 'unchanged', 'opted_out', 'not_found'],
  ])
  assert.equal((await listMembers(acme, campaign_id)).length, 2)
})
