import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import {
  accountTypeOf,
  contactStageOf,
  countEvents,
  dayFromNow,
  errorCodes,
  euros,
  newAccount,
  newContact,
  newDeal,
  url,
} from './opportunities.fixture.ts'

const { tenant } = await startTestApp()

test('crm-3-2 a new stage sets its probability and clears the manual override', async () => {
  const acme = await tenant()
  const { id } = await newDeal(acme, { amount: euros('100') })
  const update = async (changes: object) => (await acme.member.patch(`${url}${id}`, changes)).body

  const moved = await update({ stage_key: 'negotiation' })
  const overridden = await update({ probability_rate: 0.6 })
  const back = await update({ stage_key: 'proposal' })

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
  assert.equal(await countEvents(acme, 'opportunity.stage_changed'), 2)
})

test('crm-3-3 winning requires an amount, makes customers and is recorded once', async () => {
  const acme = await tenant()
  const [company, moss, roy] = [
    await newAccount(acme),
    await newContact(acme),
    await newContact(acme, 'Roy', 'former_customer'),
  ]
  const { id } = await newDeal(acme, { account_id: company, primary_contact_id: moss })
  await acme.member.post(`${url}${id}/contacts`, { contact_id: roy, role: 'champion' })
  assert.deepEqual(
    [await contactStageOf(acme, moss), await contactStageOf(acme, roy)],
    ['opportunity', 'former_customer'],
  )
  const win = (more: object = {}) => acme.member.patch(`${url}${id}`, { stage_key: 'closed_won', ...more })

  const withoutAmount = await win()
  const both = await Promise.all([win({ amount: euros('5000') }), win({ amount: euros('5000') })])
  const again = await win()

  assert.deepEqual([withoutAmount.status, errorCodes(withoutAmount.body)], [422, ['/amount required']])
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
  assert.deepEqual([await contactStageOf(acme, moss), await contactStageOf(acme, roy)], ['customer', 'customer'])
  assert.equal(await accountTypeOf(acme, company), 'customer')
  assert.equal(await countEvents(acme, 'opportunity.won'), 1)
  assert.equal(await countEvents(acme, 'account.updated'), 1)
})

test('crm-3-4 a won deal must be reopened, by its owner or a manager, before it can be lost', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const moss = await newContact(acme)
  const { id } = await newDeal(acme, { amount: euros('10'), primary_contact_id: moss, stage_key: 'closed_won' })
  const reopening = { stage_key: 'proposal', close_on: dayFromNow(10) }

  const lost = await acme.member.patch(`${url}${id}`, { stage_key: 'closed_lost', lost_reason: 'price' })
  const byColleague = await colleague.patch(`${url}${id}`, reopening)
  const withoutCloseDate = await acme.member.patch(`${url}${id}`, { stage_key: 'proposal' })
  const late = await acme.member.patch(`${url}${id}`, { ...reopening, close_on: dayFromNow(-2) })
  const reopened = await acme.member.patch(`${url}${id}`, reopening)

  assert.deepEqual(
    [lost.status, lost.body.code, lost.body.from, lost.body.to],
    [409, 'invalid_transition', 'won', 'lost'],
  )
  assert.ok(lost.body.allowed.includes('proposal'))
  assert.deepEqual([byColleague.status, byColleague.body.code], [403, 'role_required'])
  assert.deepEqual([withoutCloseDate.status, errorCodes(withoutCloseDate.body)], [422, ['/close_on required']])
  assert.deepEqual([late.status, errorCodes(late.body)], [422, ['/close_on past']])
  assert.equal(reopened.status, 200)
  assert.partialDeepStrictEqual(reopened.body, { kind: 'open', closed_at: null, probability_rate: 0.5 })
  assert.equal(await contactStageOf(acme, moss), 'customer')
  assert.equal(await countEvents(acme, 'opportunity.reopened'), 1)
})

test('losing requires a reason, which is cleared when the deal is reopened', async () => {
  const acme = await tenant()
  const { id } = await newDeal(acme)
  const update = (changes: object) => acme.member.patch(`${url}${id}`, changes)

  const withoutReason = await update({ stage_key: 'closed_lost' })
  const early = await update({ lost_reason: 'price' })
  const lost = await update({ stage_key: 'closed_lost', lost_reason: 'competitor', lost_detail: 'Globex' })
  const cleared = await update({ lost_reason: null })
  const likely = await update({ probability_rate: 0.5 })
  const reopened = await acme.manager.patch(`${url}${id}`, { stage_key: 'proposal', close_on: dayFromNow(0) })

  assert.deepEqual([withoutReason.status, errorCodes(withoutReason.body)], [422, ['/lost_reason required']])
  assert.deepEqual([early.status, errorCodes(early.body)], [422, ['/lost_reason unexpected']])
  assert.partialDeepStrictEqual(lost.body, { kind: 'lost', lost_reason: 'competitor', lost_detail: 'Globex' })
  assert.deepEqual([lost.body.probability_rate, lost.body.forecast_category], [0, 'omitted'])
  assert.deepEqual([cleared.status, errorCodes(cleared.body)], [422, ['/lost_reason required']])
  assert.deepEqual([likely.status, likely.body.code], [409, 'conflict'])
  assert.partialDeepStrictEqual(reopened.body, { kind: 'open', lost_reason: null, lost_detail: null })
})

test('crm-3-7 one of two concurrent moves of the same version fails with 412', async () => {
  const acme = await tenant()
  const { id } = await newDeal(acme)
  const move = (stage_key: string) => acme.member.patch(`${url}${id}`, { stage_key }, { 'if-match': '"1"' })

  const responses = await Promise.all([move('proposal'), move('negotiation')])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 412])
  assert.equal(await countEvents(acme, 'opportunity.stage_changed'), 1)
  const { body } = await acme.viewer.get(`${url}${id}/history`)
  assert.deepEqual([body.total, body.items[1].from_key, body.items[1].to_key], [2, null, 'prospecting'])
  assert.deepEqual([body.items[0].from_key, body.items[0].changed_by.id], ['prospecting', acme.member.userId])
  assert.ok(body.items[0].seconds_in_previous >= 0)
})

test('the timeline of a deal contains logged activities and system changes', async () => {
  const acme = await tenant()
  const { id, version } = await newDeal(acme)

  const call = await acme.member.post(`${url}${id}/activities`, { type: 'call', subject: 'Asked about engines' })
  await acme.member.patch(`${url}${id}`, { stage_key: 'proposal', owner_id: acme.manager.userId })

  assert.equal(call.status, 201)
  const { items } = (await acme.viewer.get(`${url}${id}/activities`)).body
  assert.deepEqual(items.map(({ type }: { type: string }) => type).sort(), ['call', 'owner_changed', 'stage_changed'])
  const { body } = await acme.viewer.get(`${url}${id}`)
  assert.ok(body.last_activity_at)
  assert.equal(body.version, version + 1, 'logging a call does not change the version')
})
