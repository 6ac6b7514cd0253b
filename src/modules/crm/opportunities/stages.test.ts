import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import {
  account,
  announced,
  contact,
  dayFromNow,
  deal,
  euros,
  problems,
  stageOf,
  typeOf,
  url,
} from './opportunities.fixture.ts'

const { tenant } = await startTestApp()

test('crm-3-2 a stage brings its probability, and drops what was set by hand', async () => {
  const acme = await tenant()
  const { id } = await deal(acme, { amount: euros('100') })
  const change = async (changes: object) => (await acme.member.patch(`${url}${id}`, changes)).body

  const moved = await change({ stage_key: 'negotiation' })
  const overridden = await change({ probability_rate: 0.6 })
  const back = await change({ stage_key: 'proposal' })

  assert.deepEqual([moved.probability_rate, moved.forecast_category], [0.75, 'commit'])
  assert.deepEqual([overridden.probability_rate, overridden.probability_overridden], [0.6, true])
  assert.deepEqual(overridden.expected_amount, euros('60.00'))
  assert.deepEqual(
    [back.probability_rate, back.probability_overridden, back.forecast_category],
    [0.5, false, 'best_case'],
  )
  const { rows } = await acme.sql(
    `select changes from platform.audit_log where resource_id = $1 and action = 'opportunity.updated' order by id desc limit 1`,
    [id],
  )
  assert.partialDeepStrictEqual(rows[0].changes, [{ field: 'probability_overridden', before: true, after: false }])
  assert.equal(await announced(acme, 'opportunity.stage_changed'), 2)
})

test('crm-3-3 winning needs an amount, makes customers, and happens once', async () => {
  const acme = await tenant()
  const [company, moss, roy] = [await account(acme), await contact(acme), await contact(acme, 'Roy', 'former_customer')]
  const { id } = await deal(acme, { account_id: company, primary_contact_id: moss })
  await acme.member.post(`${url}${id}/contacts`, { contact_id: roy, role: 'champion' })
  assert.deepEqual([await stageOf(acme, moss), await stageOf(acme, roy)], ['opportunity', 'former_customer'])
  const win = (more: object = {}) => acme.member.patch(`${url}${id}`, { stage_key: 'closed_won', ...more })

  const priceless = await win()
  const both = await Promise.all([win({ amount: euros('5000') }), win({ amount: euros('5000') })])
  const again = await win()

  assert.deepEqual([priceless.status, problems(priceless.body)], [422, ['/amount required']])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual([again.status, again.body.version], [200, 2])
  assert.partialDeepStrictEqual(again.body, {
    kind: 'won',
    probability_rate: 1,
    forecast_category: 'closed',
    close_on: dayFromNow(0),
  })
  assert.ok(again.body.closed_at)
  assert.deepEqual([await stageOf(acme, moss), await stageOf(acme, roy)], ['customer', 'customer'])
  assert.equal(await typeOf(acme, company), 'customer')
  assert.equal(await announced(acme, 'opportunity.won'), 1)
  assert.equal(await announced(acme, 'account.updated'), 1)
})

test('crm-3-4 what was won is not lost before it is opened again, by its owner or a manager', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const moss = await contact(acme)
  const { id } = await deal(acme, { amount: euros('10'), primary_contact_id: moss, stage_key: 'closed_won' })
  const reopening = { stage_key: 'proposal', close_on: dayFromNow(10) }

  const lost = await acme.member.patch(`${url}${id}`, { stage_key: 'closed_lost', lost_reason: 'price' })
  const meddling = await colleague.patch(`${url}${id}`, reopening)
  const undated = await acme.member.patch(`${url}${id}`, { stage_key: 'proposal' })
  const late = await acme.member.patch(`${url}${id}`, { ...reopening, close_on: dayFromNow(-2) })
  const reopened = await acme.member.patch(`${url}${id}`, reopening)

  assert.deepEqual(
    [lost.status, lost.body.code, lost.body.from, lost.body.to],
    [409, 'invalid_transition', 'won', 'lost'],
  )
  assert.ok(lost.body.allowed.includes('proposal'))
  assert.deepEqual([meddling.status, meddling.body.code], [403, 'role_required'])
  assert.deepEqual([undated.status, problems(undated.body)], [422, ['/close_on required']])
  assert.deepEqual([late.status, problems(late.body)], [422, ['/close_on past']])
  assert.equal(reopened.status, 200)
  assert.partialDeepStrictEqual(reopened.body, { kind: 'open', closed_at: null, probability_rate: 0.5 })
  assert.equal(await stageOf(acme, moss), 'customer')
  assert.equal(await announced(acme, 'opportunity.reopened'), 1)
})

test('losing needs a reason, which goes when the deal is open again', async () => {
  const acme = await tenant()
  const { id } = await deal(acme)
  const change = (changes: object) => acme.member.patch(`${url}${id}`, changes)

  const silent = await change({ stage_key: 'closed_lost' })
  const early = await change({ lost_reason: 'price' })
  const lost = await change({ stage_key: 'closed_lost', lost_reason: 'competitor', lost_detail: 'Globex' })
  const cleared = await change({ lost_reason: null })
  const likely = await change({ probability_rate: 0.5 })
  const reopened = await acme.manager.patch(`${url}${id}`, { stage_key: 'proposal', close_on: dayFromNow(0) })

  assert.deepEqual([silent.status, problems(silent.body)], [422, ['/lost_reason required']])
  assert.deepEqual([early.status, problems(early.body)], [422, ['/lost_reason unexpected']])
  assert.partialDeepStrictEqual(lost.body, { kind: 'lost', lost_reason: 'competitor', lost_detail: 'Globex' })
  assert.deepEqual([lost.body.probability_rate, lost.body.forecast_category], [0, 'omitted'])
  assert.deepEqual([cleared.status, problems(cleared.body)], [422, ['/lost_reason required']])
  assert.deepEqual([likely.status, likely.body.code], [409, 'conflict'])
  assert.partialDeepStrictEqual(reopened.body, { kind: 'open', lost_reason: null, lost_detail: null })
})

test('crm-3-7 of two who move a deal from the same version, one is told that the other was faster', async () => {
  const acme = await tenant()
  const { id } = await deal(acme)
  const move = (stage_key: string) => acme.member.patch(`${url}${id}`, { stage_key }, { 'if-match': '"1"' })

  const answers = await Promise.all([move('proposal'), move('negotiation')])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
  assert.equal(await announced(acme, 'opportunity.stage_changed'), 1)
  const { body } = await acme.viewer.get(`${url}${id}/history`)
  assert.deepEqual([body.total, body.items[1].from_key, body.items[1].to_key], [2, null, 'prospecting'])
  assert.deepEqual([body.items[0].from_key, body.items[0].changed_by.id], ['prospecting', acme.member.userId])
  assert.ok(body.items[0].seconds_in_previous >= 0)
})

test('the timeline of a deal tells what people did and where it went', async () => {
  const acme = await tenant()
  const { id, version } = await deal(acme)

  const call = await acme.member.post(`${url}${id}/activities`, { type: 'call', subject: 'Asked about engines' })
  await acme.member.patch(`${url}${id}`, { stage_key: 'proposal', owner_id: acme.manager.userId })

  assert.equal(call.status, 201)
  const { items } = (await acme.viewer.get(`${url}${id}/activities`)).body
  assert.deepEqual(items.map(({ type }: { type: string }) => type).sort(), ['call', 'owner_changed', 'stage_changed'])
  const { body } = await acme.viewer.get(`${url}${id}`)
  assert.ok(body.last_activity_at)
  assert.equal(body.version, version + 1, 'a call is no change of the deal')
})
