import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countActive, sortDeals, sortPeople, weighOpenDeals } from './related-records.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })
const deal = (kind: 'open' | 'won' | 'lost', close_on: string, amount?: string, probability_rate = 0.5) => ({
  kind,
  close_on,
  amount_base: amount === undefined ? null : euros(amount),
  probability_rate,
})

test('open deals are first by the next day, then the latest won and lost ones', () => {
  const deals = [
    deal('lost', '2026-01-05'),
    deal('won', '2026-02-01'),
    deal('open', '2026-09-30'),
    deal('won', '2026-05-01'),
    deal('open', '2026-06-30'),
  ]

  assert.deepEqual(
    sortDeals(deals).map(({ kind, close_on }) => `${kind} ${close_on}`),
    ['open 2026-06-30', 'open 2026-09-30', 'won 2026-05-01', 'won 2026-02-01', 'lost 2026-01-05'],
  )
})

test('only open deals with an amount are weighted', () => {
  const deals = [
    deal('open', '2026-06-30', '128000.00', 0.5),
    deal('open', '2026-07-30', '36000.50', 0.25),
    deal('open', '2026-08-30'),
    deal('won', '2026-03-04', '48000.00', 1),
  ]

  assert.deepEqual(weighOpenDeals(deals), euros('73000'))
  assert.equal(weighOpenDeals([deal('open', '2026-08-30'), deal('won', '2026-03-04', '5.00')]), undefined)
})

test('people with the newest activity are first, and those of the last 30 days are active', () => {
  const person = (last_activity_at: string | null) => ({ last_activity_at })
  const people = [person(null), person('2026-04-01T10:00:00.000Z'), person('2026-05-20T10:00:00.000Z')]

  assert.deepEqual(
    sortPeople(people).map((one) => one.last_activity_at?.slice(5, 10)),
    ['05-20', '04-01', undefined],
  )
  assert.equal(countActive(people, Date.parse('2026-05-21T00:00:00Z')), 1)
  assert.equal(countActive(people, Date.parse('2026-04-30T00:00:00Z')), 2)
})
