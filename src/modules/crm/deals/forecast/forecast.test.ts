import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import {
  dayFromNow,
  errorCodes,
  euros,
  newAccount,
  newContact,
  newDeal,
  url,
} from '../opportunities/opportunities.fixture.ts'

const { tenant, clock } = await startTestApp()
const forecast = `${url}forecast`

const [from, to] = [dayFromNow(-20), dayFromNow(60)]
const amounts = (row: Record<string, { amount: string }>) =>
  ['closed', 'commit', 'best_case', 'pipeline', 'commit_total', 'best_case_total', 'weighted'].map(
    (name) => row[name]!.amount,
  )

test('crm-3-5 the forecast sums won and open deals', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const deals = [
    { stage_key: 'closed_won', amount: euros('20000') },
    { stage_key: 'negotiation', amount: euros('10000') },
    { stage_key: 'proposal', amount: euros('8000') },
    { stage_key: 'qualification', amount: euros('5000') },
  ]
  for (const more of deals) await newDeal(acme, { account_id, ...more })

  const first = await acme.viewer.get(`${forecast}?from=${from}&to=${to}`)
  await newDeal(acme, { account_id, close_on: dayFromNow(-5) })
  await newDeal(acme, { account_id, amount: euros('99'), stage_key: 'closed_lost', lost_reason: 'price' })
  await newDeal(acme, { account_id, amount: euros('77'), forecast_category: 'omitted' })
  await newDeal(acme, { account_id, amount: euros('66'), close_on: dayFromNow(61) })
  const second = await acme.viewer.get(`${forecast}?from=${from}&to=${to}`)

  const expected = ['20000.00', '10000.00', '8000.00', '5000.00', '30000.00', '38000.00', '32500.00']
  assert.deepEqual(amounts(first.body.totals), expected)
  assert.deepEqual([first.body.totals.open_count, first.body.totals.overdue_count], [3, 0])
  assert.deepEqual(first.body.rows[0].group, { id: acme.member.userId, name: acme.member.name })
  assert.deepEqual(amounts(second.body.totals), expected)
  assert.deepEqual([second.body.totals.open_count, second.body.totals.overdue_count], [5, 1])
  assert.deepEqual([second.body.base_currency, second.body.from, second.body.to], ['EUR', from, to])
})

test('crm-3-12 the forecast is empty without deals', async () => {
  const acme = await tenant()

  const { status, body } = await acme.viewer.get(forecast)

  assert.deepEqual([status, body.rows], [200, []])
  assert.deepEqual(amounts(body.totals), Array(7).fill('0.00'))
  assert.deepEqual([body.totals.open_count, body.totals.overdue_count], [0, 0])
})

test('weighted amounts are rounded once per row and once in the total', async () => {
  const acme = await tenant()
  const [account_id, colleague] = [await newAccount(acme), await acme.person('member')]
  const small = { account_id, amount: euros('0.01'), probability_rate: 0.4 }
  for (const owner_id of [acme.member.userId, colleague.userId, null]) await newDeal(acme, { ...small, owner_id })

  const { rows, totals } = (await acme.viewer.get(`${forecast}?from=${from}&to=${to}`)).body

  assert.deepEqual(
    rows.map(({ weighted }: { weighted: { amount: string } }) => weighted.amount),
    ['0.00', '0.00', '0.00'],
  )
  assert.equal(totals.weighted.amount, '0.01')
  assert.deepEqual(rows.at(-1).group, { id: null, name: null })
})

test('sums above the safe integer range are exact', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const largest = { account_id, amount: euros('90071992547409.91'), probability_rate: 0.9999 }
  for (let count = 0; count < 3; count++) await newDeal(acme, largest)

  const { totals } = (await acme.viewer.get(`${forecast}?from=${from}&to=${to}`)).body

  assert.equal(totals.pipeline.amount, '270215977642229.73')
  assert.equal(totals.weighted.amount, '270188956044465.51')
})

test('a forecast can be grouped by month or pipeline and filtered by owner or team', async () => {
  const acme = await tenant()
  const [account_id, colleague] = [await newAccount(acme), await acme.person('member')]
  const team = (await acme.manager.post('/api/teams/', { name: 'Hunters', members: [{ user_id: colleague.userId }] }))
    .body
  const priced = { account_id, amount: euros('100') }
  await newDeal(acme, { ...priced, close_on: '2031-01-31' })
  await newDeal(acme, { ...priced, close_on: '2031-03-01', owner_id: colleague.userId })
  await newDeal(acme, { ...priced, close_on: '2031-04-01' })
  const getForecast = async (query: string) => (await acme.viewer.get(`${forecast}?${query}`)).body
  const groups = (body: { rows: { group: { id: string }; pipeline: { amount: string } }[] }) =>
    body.rows.map(({ group, pipeline }) => [group.id, pipeline.amount])

  assert.deepEqual(groups(await getForecast('period=2031-Q1&group_by=month')), [
    ['2031-01', '100.00'],
    ['2031-03', '100.00'],
  ])
  const byPipeline = await getForecast('from=2031-01-01&to=2031-04-30&group_by=pipeline')
  assert.deepEqual(byPipeline.rows[0].group.name, 'Sales')
  assert.equal(byPipeline.totals.pipeline.amount, '300.00')
  assert.deepEqual(groups(await getForecast(`period=2031-03&team_id=${team.id}`)), [[colleague.userId, '100.00']])
  assert.deepEqual(groups(await getForecast(`period=2031-03&owner_id=${acme.member.userId}`)), [])
  assert.deepEqual(groups(await getForecast(`period=2031-01&owner_id=${acme.member.userId}&team_id=${team.id}`)), [])
  assert.deepEqual((await getForecast(`period=2031-01&team_id=${account_id}`)).rows, [])
})

test('an invalid period is rejected', async () => {
  const acme = await tenant()
  const getErrors = async (query: string) => {
    const { status, body } = await acme.viewer.get(`${forecast}?${query}`)
    return [status, ...(errorCodes(body) ?? [])]
  }

  assert.deepEqual(await getErrors('from=2026-01-01'), [422, '/to required'])
  assert.deepEqual(await getErrors('from=2026-02-01&to=2026-01-01'), [422, '/to order'])
  assert.deepEqual(await getErrors('from=2026-01-01&to=2027-02-05'), [422, '/to range'], '401 days')
  assert.deepEqual(await getErrors('period=2026-Q1&to=2026-01-01'), [422, '/period contradiction'])
  assert.deepEqual(await getErrors('period=2026-Q5'), [422, '/period pattern'])
  assert.equal((await acme.viewer.get(`${forecast}?from=2026-01-01&to=2027-02-04`)).status, 200, '400 days')
})

test('user profiles and the user forecast include the book of business', async () => {
  const acme = await tenant()
  const { userId } = acme.member
  const account_id = await newAccount(acme)
  await acme.sql('update crm.accounts set owner_id = $2 where id = $1', [account_id, userId])
  await acme.sql('update crm.contacts set owner_id = $2 where id = $1', [await newContact(acme), userId])
  await acme.sql('update identity.users set quarterly_quota_minor = 10000000 where id = $1', [userId])
  await acme.member.post('/api/leads/', { last_name: 'Roy', owner_id: userId })
  const today = dayFromNow(0, clock.now())
  const open = { account_id, close_on: today }
  await newDeal(acme, { ...open, amount: euros('20000'), stage_key: 'proposal' })
  await newDeal(acme, { ...open, amount: euros('40000'), probability_rate: 0.25 })
  await newDeal(acme, { ...open, amount: euros('30000'), stage_key: 'closed_won' })
  await newDeal(acme, { ...open, stage_key: 'closed_lost', lost_reason: 'timing' })

  const profile = (await acme.viewer.get(`/api/users/${userId}/profile`)).body
  const users: { id: string }[] = (await acme.viewer.get('/api/users/forecast-users')).body

  assert.partialDeepStrictEqual(profile.book, {
    leads: { owned: 1, open: 1, by_status: { new: 1 }, untouched_7d: 0 },
    contacts: { owned: 1 },
    accounts: { owned: 1 },
    opportunities: {
      open_count: 2,
      open_amount: euros('60000.00'),
      weighted_amount: euros('20000.00'),
      overdue_count: 0,
      won_count: 1,
      won_amount: euros('30000.00'),
      lost_count: 1,
      win_rate: 0.5,
    },
  })
  assert.ok(profile.book.opportunities.average_cycle_days < 1)
  assert.equal(profile.concentration_rate.toFixed(4), '0.6667')
  assert.partialDeepStrictEqual(
    users.find(({ id }) => id === userId),
    {
      quota: euros('100000.00'),
      open_amount: euros('60000.00'),
      weighted_amount: euros('20000.00'),
      won_amount: euros('30000.00'),
      projected_amount: euros('50000.00'),
      open_count: 2,
      attainment_rate: 0.3,
    },
  )
})

test('the book of business of a user without records has zeros and no rates', async () => {
  const acme = await tenant()

  const { body } = await acme.viewer.get(`/api/users/${acme.manager.userId}/profile`)

  assert.deepEqual(body.book.leads, { owned: 0, open: 0, by_status: {}, by_grade: {}, untouched_7d: 0 })
  assert.partialDeepStrictEqual(body.book.opportunities, {
    open_count: 0,
    open_amount: euros('0.00'),
    win_rate: null,
    average_cycle_days: null,
  })
  assert.equal(body.concentration_rate, null)
})
