import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitUntil } from '#testing'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'

const { tenant, startTestWorker } = await startTestApp()
const url = '/api/leads/settings'
const problems = (body: { errors: { path: string; code: string }[] }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`)

test('a new workspace has default settings that every user can read', async () => {
  const acme = await tenant()

  const { status, headers, body } = await acme.viewer.get(url)

  assert.deepEqual([status, headers.etag], [200, '"1"'])
  assert.deepEqual(body, {
    version: 1,
    currency_rates: {},
    sla: {
      minutes: { a: 15, b: 60, c: 480 },
      business_hours_only: false,
      business_hours: { timezone: null, days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00', holidays: [] },
      count_automated: false,
    },
    assignment: { mode: 'none', owner_ids: [] },
    duplicates: { lead_email: 'allow' },
    attribution: { window_days: 180, basis: 'responded' },
    convert: { close_in_days: 90 },
    consent: { mode: 'opt_out' },
    sending: {
      from_name: null,
      from_address: null,
      postal_address: null,
      daily_limit_per_sender: 200,
      daily_limit_tenant: 5_000,
      daily_limit_unknown_addresses: 100,
      allowed_from_names: [],
      allowed_reply_to: [],
      link_domains: [],
      max_live_cadences_per_person: 1,
      auto_reply_pause_days: 5,
    },
    ai: { enabled: true },
  })
})

test('managers replace all settings, and omitted ones are reset to their defaults', async () => {
  const acme = await tenant()
  const first = await acme.manager.put(url, { currency_rates: { USD: '0.92' }, convert: { close_in_days: 30 } })

  const stale = await acme.manager.put(url, {}, { 'if-match': '"1"' })
  const second = await acme.manager.put(url, { currency_rates: { CHF: '1.05' } }, { 'if-match': first.headers.etag })
  const same = await acme.manager.put(url, { currency_rates: { CHF: '1.05' } })
  const rejected = await acme.member.put(url, {})

  assert.deepEqual([first.status, first.body.currency_rates, first.body.version], [200, { USD: '0.92' }, 2])
  assert.deepEqual([stale.status, rejected.status], [412, 403])
  assert.deepEqual(second.body.currency_rates, { CHF: '1.05' })
  assert.equal(second.body.convert.close_in_days, 90)
  assert.equal(same.body.version, second.body.version)
  assert.deepEqual(await acme.events(), ['settings.updated', 'settings.updated'])
  assert.deepEqual((await (await tenant()).manager.get(url)).body.currency_rates, {})
})

test('the CRM settings are part of the workspace settings', async () => {
  const acme = await tenant()

  const changed = await acme.admin.patch('/api/admin/settings', { crm: { sla: { minutes: { a: 5 } } } })
  const rejected = await acme.admin.patch('/api/admin/settings', { crm: { assignment: { owner_ids: [newId()] } } })

  assert.deepEqual([changed.status, changed.body.crm.sla.minutes], [200, { a: 5, b: 60, c: 480 }])
  assert.equal((await acme.viewer.get(url)).body.sla.minutes.a, 5)
  assert.deepEqual([rejected.status, problems(rejected.body)], [422, ['/crm/assignment/owner_ids/0 unknown_reference']])
})

test('all errors are reported in one response', async () => {
  const [acme, other] = [await tenant(), await tenant()]

  const { status, body } = await acme.manager.put(url, {
    currency_rates: { USD: '0', QQQ: '1' },
    sla: { business_hours: { timezone: 'Mars/Olympus', start: '17:00', end: '09:00' } },
    assignment: { mode: 'round_robin', owner_ids: [acme.member.userId, other.member.userId] },
  })
  const malformed = await acme.manager.put(url, {
    currency_rates: { USD: '-1', dollar: '1' },
    sla: { minutes: { a: 0 } },
    color: 1,
  })

  assert.equal(status, 422)
  assert.deepEqual(problems(body), [
    '/currency_rates/USD minimum',
    '/currency_rates/QQQ unknown',
    '/sla/business_hours/timezone unknown',
    '/sla/business_hours/end order',
    '/assignment/owner_ids/1 unknown_reference',
  ])
  assert.equal(malformed.status, 422)
  assert.deepEqual(problems(malformed.body).sort(), [
    '/color additionalProperties',
    '/currency_rates/USD pattern',
    '/currency_rates/dollar additionalProperties',
    '/sla/minutes/a minimum',
  ])
  assert.equal((await acme.viewer.get(url)).body.version, 1)
})

test('the base currency cannot change once an amount is stored in it', async () => {
  const acme = await tenant()
  const change = (currency: string) => acme.admin.patch('/api/admin/settings', { general: { currency } })
  assert.equal((await change('USD')).status, 200)
  await acme.member.post('/api/leads/', { last_name: 'Moss', annual_revenue: { amount: '10', currency: 'USD' } })

  const rejected = await change('EUR')

  assert.deepEqual([rejected.status, rejected.body.code], [409, 'currency_in_use'])
  assert.equal((await acme.admin.get('/api/admin/settings')).body.general.currency, 'USD')
  const elsewhere = await acme.member.post('/api/leads/', {
    last_name: 'Roy',
    annual_revenue: { amount: '10', currency: 'EUR' },
  })
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [422, 'no_exchange_rate'])
})

test('the base currency cannot change once a custom field has an amount', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'deposit', type: 'money' })
  const change = () => acme.admin.patch('/api/admin/settings', { general: { currency: 'JPY' } })
  const { body } = await acme.member.post('/api/leads/', {
    last_name: 'Moss',
    custom: { deposit: { amount: '4000.00', currency: 'EUR' } },
  })

  const refused = await change()
  await acme.member.patch(`/api/leads/${body.id}`, { custom: { deposit: null } })
  const changed = await change()

  assert.deepEqual([refused.status, refused.body.code], [409, 'currency_in_use'])
  assert.equal(changed.status, 200)
})

test('settings that nothing reads are rejected', async () => {
  const acme = await tenant()
  const { status, body } = await acme.manager.put(url, { consent: { default_basis: 'none' } })

  assert.equal(status, 422)
  assert.deepEqual(problems(body), ['/consent/default_basis additionalProperties'])
})

test('SLA minutes and exchange rates come from the settings', async () => {
  const acme = await tenant()
  await acme.manager.put(url, {
    currency_rates: { JPY: '0.0061' },
    sla: { minutes: { a: 1, b: 1, c: 1 } },
  })

  const { body } = await acme.member.post('/api/leads/', {
    last_name: 'Moss',
    annual_revenue: { amount: '1000', currency: 'JPY' },
  })

  assert.equal(new Date(body.sla_due_at).getTime() - new Date(body.created_at).getTime(), 60_000)
  assert.deepEqual(body.annual_revenue, { amount: '1000', currency: 'JPY' })
  const { rows } = await acme.sql('select annual_revenue_base_minor::int as base from crm.leads where id = $1', [
    body.id,
  ])
  assert.deepEqual(rows, [{ base: 610 }])
})

test('a deactivated user is removed from the automatic assignment', async () => {
  const acme = await tenant()
  const { userId } = await acme.person('member')
  await acme.manager.put(url, { assignment: { mode: 'round_robin', owner_ids: [userId, acme.member.userId] } })
  await startTestWorker()

  const { status } = await acme.admin.patch(`/api/users/${userId}`, { status: 'deactivated' })

  const owners = async () => (await acme.viewer.get(url)).body.assignment.owner_ids
  await waitUntil(async () => (await owners()).length <= 1)
  assert.equal(status, 200)
  assert.deepEqual(await owners(), [acme.member.userId])
})
