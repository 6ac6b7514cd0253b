import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { creditTouches, findTouches, type Membership } from './attribution.rules.ts'

const settings = { window_days: 180, basis: 'responded' }
const day = 86_400_000
const created = Date.UTC(2026, 0, 1)

const memberships = fc.array(
  fc.record({
    campaign_id: fc.integer({ min: 1, max: 12 }).map((n) => `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`),
    lead_id: fc.constant(null),
    contact_id: fc.constant(null),
    first_touched_at: fc.integer({ min: -400, max: 200 }).map((days) => new Date(created + days * day)),
    responded_at: fc.option(fc.integer({ min: -400, max: 200 }).map((days) => new Date(created + days * day))),
  }),
  { maxLength: 30 },
)
const deals = fc.record({
  amount_base_minor: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2 ** 40 })),
  created_at: fc.constant(new Date(created)),
  closed_at: fc.option(fc.integer({ min: 0, max: 150 }).map((days) => new Date(created + days * day))),
})

/** Calculates the credit of each campaign from the definition, one cent at a time where it is small. */
function creditByDefinition(amount: number, list: readonly Membership[], from: number, until: number) {
  const campaigns = [...new Set(list.map(({ campaign_id }) => campaign_id))]
  const touches = campaigns
    .map((id) => {
      const times = list
        .filter(({ campaign_id, responded_at }) => campaign_id === id && responded_at !== null)
        .map(({ responded_at }) => responded_at!.getTime())
        .filter((time) => time >= from && time <= until)
      return { id, at: Math.min(...times) }
    })
    .filter(({ at }) => Number.isFinite(at))
    .sort((a, b) => (a.at === b.at ? a.id.localeCompare(b.id) : a.at - b.at))
  const n = BigInt(touches.length)
  return touches.map(({ id, at }, index) => {
    const [from, to] = [BigInt(index), BigInt(index + 1)]
    // The n-th part of the amount that is dealt out in turns, beginning with the first position.
    const dealt = (turns: bigint) =>
      (BigInt(amount) / n) * turns + (turns < BigInt(amount) % n ? turns : BigInt(amount) % n)
    return {
      campaign_id: id,
      touch_at: at,
      linear: Number(dealt(to) - dealt(from)),
      first: index === 0 ? amount : 0,
      last: index === touches.length - 1 ? amount : 0,
    }
  })
}

test('for 500 random histories each model sums to the deal and equals an independent calculation', () => {
  const now = new Date(created + 160 * day)
  fc.assert(
    fc.property(deals, memberships, (deal, list) => {
      const credited = creditTouches(findTouches(deal, list, settings, now), deal.amount_base_minor)

      const expected = creditByDefinition(
        deal.amount_base_minor,
        list,
        created - 180 * day,
        (deal.closed_at ?? now).getTime(),
      )
      assert.deepEqual(
        credited.map(({ campaign_id, touch_at, first_minor, last_minor, linear_minor }) => ({
          campaign_id,
          touch_at: touch_at.getTime(),
          linear: linear_minor,
          first: first_minor,
          last: last_minor,
        })),
        expected,
      )
      for (const model of ['first_minor', 'last_minor', 'linear_minor'] as const)
        if (credited.length)
          assert.equal(
            credited.reduce((sum, touch) => sum + touch[model], 0),
            deal.amount_base_minor,
          )
    }),
    { numRuns: 500 },
  )
})

test('the first position gets the cents that are left over', () => {
  const touches = ['a', 'b', 'c'].map((campaign_id) => ({ campaign_id, touch_at: new Date(created) }))

  const shares = creditTouches(touches, 1_000_000).map(({ linear_minor }) => linear_minor)

  assert.deepEqual(shares, [333_334, 333_333, 333_333])
})

test('with the basis `member` the first touch counts, and one campaign touches a deal once', () => {
  const at = (days: number) => new Date(created + days * day)
  const list = [
    { campaign_id: 'a', lead_id: null, contact_id: null, first_touched_at: at(-3), responded_at: null },
    { campaign_id: 'a', lead_id: null, contact_id: null, first_touched_at: at(-5), responded_at: at(-1) },
    { campaign_id: 'b', lead_id: null, contact_id: null, first_touched_at: at(-181), responded_at: at(-1) },
  ]
  const deal = { amount_base_minor: 100, created_at: at(0), closed_at: null }

  assert.deepEqual(findTouches(deal, list, { window_days: 180, basis: 'member' }, at(1)), [
    { campaign_id: 'a', touch_at: at(-5) },
  ])
  assert.deepEqual(
    findTouches(deal, list, settings, at(1)).map(({ campaign_id }) => campaign_id),
    ['a', 'b'],
  )
})
