import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestApp } from '#testing'
import { dayFromNow, errorCodes, newAccount, newDeal, url } from './opportunities.fixture.ts'

const { tenant, startTestWorker } = await startTestApp()
await startTestWorker()

test('crm-3-6 new rates change the base amount of open deals, not of closed ones', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { general: { currency: 'USD' } })
  const account_id = await newAccount(acme)
  const amount = { amount: '1000.00', currency: 'EUR' }
  const setRate = (rate: string) => acme.manager.put('/api/leads/settings', { currency_rates: { EUR: rate } })
  const baseOf = async (id: string) => (await acme.viewer.get(`${url}${id}`)).body.amount_base

  const early = await acme.member.post(url, { name: 'Engines', account_id, close_on: dayFromNow(5), amount })
  await setRate('1.10')
  const open = await newDeal(acme, { account_id, amount })
  const won = await newDeal(acme, { account_id, amount, stage_key: 'closed_won' })
  await setRate('1.20')
  for (let waited = 0; waited < 100 && (await baseOf(open.id)).amount === '1100.00'; waited++) await pause(100)

  assert.deepEqual(
    [early.status, early.body.code, errorCodes(early.body)],
    [422, 'no_exchange_rate', ['/amount/currency no_exchange_rate']],
  )
  assert.deepEqual(open.amount_base, { amount: '1100.00', currency: 'USD' })
  assert.deepEqual(await baseOf(open.id), { amount: '1200.00', currency: 'USD' })
  assert.deepEqual(await baseOf(won.id), { amount: '1100.00', currency: 'USD' })
  const current = (await acme.viewer.get(`${url}${open.id}`)).body
  assert.deepEqual([current.version, current.updated_at], [open.version, open.updated_at])

  const reopened = await acme.member.patch(`${url}${won.id}`, { stage_key: 'proposal', close_on: dayFromNow(5) })
  assert.deepEqual(reopened.body.amount_base, { amount: '1200.00', currency: 'USD' })
})

test('other CRM settings do not queue a recalculation', async () => {
  const acme = await tenant()

  await acme.manager.put('/api/leads/settings', { currency_rates: { USD: '0.9' } })
  await acme.manager.put('/api/leads/settings', { currency_rates: { USD: '0.9' }, convert: { close_in_days: 10 } })

  const jobs = (await acme.jobs()).filter((job) => job === 'crm.recalculate_base_amounts')
  assert.equal(jobs.length, 1)
})

test('deals are found by the current name of their account', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme, 'Initech')
  const { id } = await newDeal(acme, { account_id })
  const hits = async (search: string) => (await acme.viewer.get(`${url}?search=${search}`)).body.items.length

  await acme.manager.patch(`/api/accounts/${account_id}`, { name: 'Globex' })
  for (let waited = 0; waited < 100 && !(await hits('globex')); waited++) await pause(100)

  assert.deepEqual([await hits('globex'), await hits('initech'), await hits('engines')], [1, 0, 1])
  assert.equal((await acme.viewer.get(`${url}${id}`)).body.version, 1)
})
