import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'
import { errorCodes, euros, newAccount, newCampaignId, newContact, newDeal, url } from './opportunities.fixture.ts'

const { tenant } = await startTestApp()

test('crm-3-1 a deal requires a close date and an account of the same workspace', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [own, foreign] = [await newAccount(acme), await newAccount(other)]

  const withoutCloseDate = await acme.member.post(url, { name: 'Engines', account_id: own })
  const foreignAccount = await acme.member.post(url, { name: 'Engines', account_id: foreign, close_on: '2030-01-01' })
  const { status, headers, body } = await acme.member.post(url, {
    name: 'Engines',
    account_id: own,
    close_on: '2030-01-01',
    amount: euros('1000.50'),
  })

  assert.deepEqual([withoutCloseDate.status, errorCodes(withoutCloseDate.body)], [422, ['/close_on required']])
  assert.deepEqual(
    [foreignAccount.status, foreignAccount.body.code, errorCodes(foreignAccount.body)],
    [422, 'unknown_reference', ['/account_id unknown_reference']],
  )
  assert.equal(status, 201)
  assert.equal(headers.location, `${url}${body.id}`)
  assert.equal(headers.etag, '"1"')
  assert.partialDeepStrictEqual(body, {
    account: { id: own, name: 'Initech' },
    pipeline: { name: 'Sales' },
    stage_key: 'prospecting',
    stage_label: 'Prospecting',
    kind: 'open',
    amount: euros('1000.50'),
    amount_base: euros('1000.50'),
    expected_amount: euros('100.05'),
    probability_rate: 0.1,
    probability_overridden: false,
    forecast_category: 'pipeline',
    is_overdue: false,
    days_in_stage: 0,
    owner: null,
    primary_contact: null,
    contacts: [],
    created_by: acme.member.userId,
    version: 1,
  })
  for (const hidden of ['tenant_id', 'search_text', 'name_key', 'probability_basis', 'amount_minor'])
    assert.equal(hidden in body, false, hidden)
  assert.deepEqual((await acme.viewer.get(`${url}${body.id}`)).body, body)
  assert.deepEqual(await acme.events(), ['opportunity.created'])
  assert.deepEqual(await acme.audit(), ['pipeline.created', 'opportunity.created'])
})

test('all fields of a deal are stored and can be updated', async () => {
  const acme = await tenant()
  const [moss, campaign] = [await newContact(acme), await newCampaignId(acme)]
  await createField(acme, { object_type: 'opportunity', key: 'tier' })
  await createField(acme, { object_type: 'opportunity', key: 'seats', type: 'number' })
  const input = {
    primary_contact_id: moss,
    stage_key: 'qualification',
    amount: euros('12345.67'),
    probability_rate: 0.3333,
    forecast_category: 'omitted',
    next_step: 'Call back',
    source: 'trade_fair',
    campaign_id: campaign,
    tags: ['vip'],
    notes: 'Hurry',
    custom: { tier: 'gold' },
  }

  const body = await newDeal(acme, input)
  const changes = {
    name: 'Looms',
    tags: [],
    custom: { tier: null, seats: 3 },
    owner_id: null,
    primary_contact_id: null,
  }
  const changed = await acme.member.patch(`${url}${body.id}`, changes)
  const same = await acme.member.patch(`${url}${body.id}`, changes)

  assert.partialDeepStrictEqual(body, input)
  assert.deepEqual(body.expected_amount, euros('4114.81'))
  assert.partialDeepStrictEqual(changed.body, {
    name: 'Looms',
    tags: [],
    custom: { seats: 3 },
    owner: null,
    version: 2,
  })
  assert.equal(same.body.version, 2)
  const found = await acme.viewer.get(`${url}?search=loom+INI`)
  assert.deepEqual([found.body.total, found.body.items[0]?.id], [1, body.id])
})

test('an invalid deal is rejected', async () => {
  const acme = await tenant()
  const company = await newAccount(acme)
  const getError = async (more: object) => {
    const input = { name: 'Engines', account_id: company, close_on: '2030-01-01', ...more }
    const { status, body } = await acme.member.post(url, input)
    return [status, body.code, body.errors?.[0]?.path]
  }

  assert.deepEqual(await getError({ close_on: 'soon' }), [422, 'validation_failed', '/close_on'])
  assert.deepEqual(await getError({ amount: euros('-1') }), [422, 'validation_failed', '/amount/amount'])
  assert.deepEqual(await getError({ amount: euros('1.005') }), [422, 'validation_failed', '/amount/amount'])
  assert.deepEqual(await getError({ probability_rate: 0.12345 }), [422, 'validation_failed', '/probability_rate'])
  assert.deepEqual(await getError({ probability_rate: 2 }), [422, 'validation_failed', '/probability_rate'])
  assert.deepEqual(await getError({ forecast_category: 'closed' }), [422, 'validation_failed', '/forecast_category'])
  assert.deepEqual(await getError({ stage_key: 'dreaming' }), [422, 'unknown_reference', '/stage_key'])
  assert.deepEqual(await getError({ pipeline_id: newId() }), [422, 'unknown_reference', '/pipeline_id'])
  assert.deepEqual(await getError({ primary_contact_id: newId() }), [422, 'unknown_reference', '/primary_contact_id'])
  assert.deepEqual(await getError({ owner_id: newId() }), [422, 'unknown_reference', '/owner_id'])
  assert.deepEqual(await getError({ campaign_id: newId() }), [422, 'unknown_reference', '/campaign_id'])
  assert.deepEqual(await getError({ stage_key: 'closed_won' }), [422, 'validation_failed', '/amount'])
  assert.deepEqual(await getError({ stage_key: 'closed_lost' }), [422, 'validation_failed', '/lost_reason'])
  assert.deepEqual(await getError({ lead_id: newId() }), [422, 'validation_failed', '/lead_id'])
  assert.equal((await acme.member.get(`${url}abc`)).status, 422)
  assert.deepEqual((await acme.member.get(url)).body.items, [])
})

test('deals of another workspace return 404', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const foreign = await newDeal(other)
  const person = await newContact(other)

  const responses = [
    await acme.admin.get(`${url}${foreign.id}`),
    await acme.admin.patch(`${url}${foreign.id}`, { name: 'Mine' }),
    await acme.admin.delete(`${url}${foreign.id}`),
    await acme.admin.post(`${url}${foreign.id}/restore`),
    await acme.admin.get(`${url}${foreign.id}/history`),
    await acme.admin.post(`${url}${foreign.id}/contacts`, { contact_id: person }),
  ]

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'not_found'])
  const own = await newDeal(acme)
  const added = await acme.admin.post(`${url}${own.id}/contacts`, { contact_id: person })
  assert.deepEqual([added.status, added.body.code], [422, 'unknown_reference'])
  const moved = await acme.admin.patch(`${url}${own.id}`, { pipeline_id: foreign.pipeline_id })
  assert.deepEqual([moved.status, moved.body.code], [422, 'unknown_reference'])
  for (const query of ['search=engines', `account_id=${foreign.account_id}`, `pipeline_id=${foreign.pipeline_id}`])
    assert.ok(!(await acme.admin.get(`${url}?${query}`)).body.items.some(({ id }: { id: string }) => id === foreign.id))
})

test('viewers can read deals, members can edit them and delete their own', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const { id } = await newDeal(acme)

  const refused = [
    await acme.viewer.post(url, {}),
    await acme.viewer.patch(`${url}${id}`, { name: 'Mine' }),
    await acme.viewer.delete(`${url}${id}`),
    await colleague.delete(`${url}${id}`),
    await acme.member.post(`${url}pipelines`, {}),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 403, 403, 403],
  )
  assert.equal((await acme.anonymous.get(url)).status, 401)
  assert.equal((await acme.member.delete(`${url}${id}`, { 'if-match': '"7"' })).status, 412)
  assert.equal((await acme.member.delete(`${url}${id}`)).status, 204)
  assert.equal((await acme.member.get(`${url}${id}`)).status, 404)
  assert.equal((await colleague.post(`${url}${id}/restore`)).status, 403)
  assert.equal((await acme.member.post(`${url}${id}/restore`)).status, 200)
  assert.equal((await acme.member.post(`${url}${id}/restore`)).status, 404)
})
