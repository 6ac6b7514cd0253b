import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toForecastUser } from './forecast-users.rules.ts'

const period = { start_on: '2026-01-01', end_on: '2026-03-31' }
const ada = {
  id: '0198c0de-0000-7000-8000-00000000000a',
  name: 'Ada',
  email: 'ada@engines.example',
  role: 'member',
  title: null,
  avatar_url: null,
  manager_id: null,
  quarterly_quota_minor: 10_000_000,
}

test('the projected amount is the won amount plus the weighted amount', () => {
  const figures = new Map([
    [ada.id, { open_minor: 6_000_000, weighted_minor: 2_000_000, won_minor: 3_000_000, open_count: 2 }],
  ])

  const forecast = toForecastUser(ada, period, 'EUR', figures)

  assert.partialDeepStrictEqual(forecast, {
    quota: { amount: '100000.00', currency: 'EUR' },
    open_amount: { amount: '60000.00', currency: 'EUR' },
    weighted_amount: { amount: '20000.00', currency: 'EUR' },
    won_amount: { amount: '30000.00', currency: 'EUR' },
    projected_amount: { amount: '50000.00', currency: 'EUR' },
    open_count: 2,
    attainment_rate: 0.3,
  })
})

test('a user without deals has zeros, and without a quota no attainment rate', () => {
  const forecast = toForecastUser({ ...ada, quarterly_quota_minor: null }, period, 'EUR', new Map())

  assert.partialDeepStrictEqual(forecast, { won_amount: { amount: '0.00', currency: 'EUR' }, open_count: 0 })
  assert.deepEqual([forecast.quota, forecast.attainment_rate], [null, null])
  assert.equal(toForecastUser({ ...ada, quarterly_quota_minor: 0 }, period, 'EUR', new Map()).attainment_rate, null)
})

test('figures are null without permission', () => {
  const { quota, open_amount, won_amount, projected_amount, open_count, attainment_rate } = toForecastUser(
    ada,
    period,
    'EUR',
    null,
  )

  assert.deepEqual(
    [open_amount, won_amount, projected_amount, open_count, attainment_rate],
    [null, null, null, null, null],
  )
  assert.equal(quota?.amount, '100000.00')
})
