import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { account, contact, deal, euros, problems, url } from './opportunities.fixture.ts'

const { tenant } = await startTestApp()

test('crm-3-1 a deal needs a day to close on, and an account of this workspace', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [own, foreign] = [await account(acme), await account(other)]

  const endless = await acme.member.post(url, { name: 'Engines', account_id: own })
  const strange = await acme.member.post(url, { name: 'Engines', account_id: foreign, close_on: '2030-01-01' })
  const { status, headers, body } = await acme.member.post(url, {
    name: 'Engines',
    account_id: own,
    close_on: '2030-01-01',
    amount: euros('1000.50'),
  })

  assert.deepEqual([endless.status, problems(endless.body)], [422, ['/close_on required']])
  assert.deepEqual(
    [strange.status, strange.body.code, problems(strange.body)],
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

test('everything that can be said about a deal is kept, and can be changed', async () => {
  const acme = await tenant()
  const [moss, campaign] = [await contact(acme), newId()]
  const said = {
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

  const body = await deal(acme, said)
  const changes = {
    name: 'Looms',
    tags: [],
    custom: { tier: null, seats: 3 },
    owner_id: null,
    primary_contact_id: null,
  }
  const changed = await acme.member.patch(`${url}${body.id}`, changes)
  const same = await acme.member.patch(`${url}${body.id}`, changes)

  assert.partialDeepStrictEqual(body, said)
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

test('what is wrong with a deal is told', async () => {
  const acme = await tenant()
  const company = await account(acme)
  const refusal = async (more: object) => {
    const asked = { name: 'Engines', account_id: company, close_on: '2030-01-01', ...more }
    const { status, body } = await acme.member.post(url, asked)
    return [status, body.code, body.errors?.[0]?.path]
  }

  assert.deepEqual(await refusal({ close_on: 'soon' }), [422, 'validation_failed', '/close_on'])
  assert.deepEqual(await refusal({ amount: euros('-1') }), [422, 'validation_failed', '/amount/amount'])
  assert.deepEqual(await refusal({ amount: euros('1.005') }), [422, 'validation_failed', '/amount/amount'])
  assert.deepEqual(await refusal({ probability_rate: 0.12345 }), [422, 'validation_failed', '/probability_rate'])
  assert.deepEqual(await refusal({ probability_rate: 2 }), [422, 'validation_failed', '/probability_rate'])
  assert.deepEqual(await refusal({ forecast_category: 'closed' }), [422, 'validation_failed', '/forecast_category'])
  assert.deepEqual(await refusal({ stage_key: 'dreaming' }), [422, 'unknown_reference', '/stage_key'])
  assert.deepEqual(await refusal({ pipeline_id: newId() }), [422, 'unknown_reference', '/pipeline_id'])
  assert.deepEqual(await refusal({ primary_contact_id: newId() }), [422, 'unknown_reference', '/primary_contact_id'])
  assert.deepEqual(await refusal({ owner_id: newId() }), [422, 'unknown_reference', '/owner_id'])
  assert.deepEqual(await refusal({ stage_key: 'closed_won' }), [422, 'validation_failed', '/amount'])
  assert.deepEqual(await refusal({ stage_key: 'closed_lost' }), [422, 'validation_failed', '/lost_reason'])
  assert.deepEqual(await refusal({ lead_id: newId() }), [422, 'validation_failed', '/lead_id'])
  assert.equal((await acme.member.get(`${url}abc`)).status, 422)
  assert.deepEqual((await acme.member.get(url)).body.items, [])
})

test('deals of another workspace do not exist', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const foreign = await deal(other)
  const person = await contact(other)

  const answers = [
    await acme.admin.get(`${url}${foreign.id}`),
    await acme.admin.patch(`${url}${foreign.id}`, { name: 'Mine' }),
    await acme.admin.delete(`${url}${foreign.id}`),
    await acme.admin.post(`${url}${foreign.id}/restore`),
    await acme.admin.get(`${url}${foreign.id}/history`),
    await acme.admin.post(`${url}${foreign.id}/contacts`, { contact_id: person }),
  ]

  for (const { status, body } of answers) assert.deepEqual([status, body.code], [404, 'not_found'])
  const own = await deal(acme)
  const involved = await acme.admin.post(`${url}${own.id}/contacts`, { contact_id: person })
  assert.deepEqual([involved.status, involved.body.code], [422, 'unknown_reference'])
  const moved = await acme.admin.patch(`${url}${own.id}`, { pipeline_id: foreign.pipeline_id })
  assert.deepEqual([moved.status, moved.body.code], [422, 'unknown_reference'])
  for (const query of ['search=engines', `account_id=${foreign.account_id}`, `pipeline_id=${foreign.pipeline_id}`])
    assert.ok(!(await acme.admin.get(`${url}?${query}`)).body.items.some(({ id }: { id: string }) => id === foreign.id))
})

test('viewers read deals, members work with them and delete their own', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const { id } = await deal(acme)

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
