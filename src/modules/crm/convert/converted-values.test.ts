import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { prepareSuppressions } from '../consent/consent.fixture.ts'

const { tenant, db, services } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/leads/'
const lead = async (acme: Acme, fields: object) => (await acme.member.post(url, { last_name: 'Moss', ...fields })).body
const convert = (acme: Acme, { id }: { id: string }, request: object = {}) =>
  acme.member.post(`${url}${id}/convert`, request)

test('the annual revenue of a lead is copied although its currency has lost its exchange rate', async () => {
  const acme = await tenant()
  const setRates = (currency_rates: object) => acme.manager.put(`${url}settings`, { currency_rates })
  const annual_revenue = { amount: '1000.00', currency: 'CHF' }
  const existing = (await acme.member.post('/api/accounts/', { name: 'Umbrella' })).body
  await setRates({ CHF: '1.10' })
  const [one, two] = [
    await lead(acme, { company: 'Initech', annual_revenue }),
    await lead(acme, { company: 'Umbrella', annual_revenue }),
  ]
  assert.equal((await setRates({})).status, 200)
  assert.equal(
    (await acme.member.post('/api/accounts/', { name: 'Globex', annual_revenue })).body.code,
    'no_exchange_rate',
  )

  const [created, filled] = [await convert(acme, one), await convert(acme, two)]

  assert.deepEqual([created.status, filled.status], [200, 200])
  assert.deepEqual([created.body.created.account, filled.body.account.id], [true, existing.id])
  for (const { body } of [created, filled]) {
    assert.deepEqual(body.account.annual_revenue, annual_revenue)
    const { rows } = await acme.sql('select annual_revenue_base_minor::int as base from crm.accounts where id = $1', [
      body.account.id,
    ])
    assert.deepEqual(rows, [{ base: 110_000 }])
  }
})

test('opt-outs of a lead are copied to the contact', async () => {
  const acme = await tenant()
  const one = await lead(acme, { email: 'ann@initech.example', phone: '+4930901820' })
  await acme.sql(`update crm.leads set email_status = 'unsubscribed', call_status = 'do_not_call' where id = $1`, [
    one.id,
  ])

  const { body } = await convert(acme, one)

  assert.deepEqual([body.contact.email_status, body.contact.call_status], ['unsubscribed', 'do_not_call'])
})

test('an opt-in of a lead is copied to a contact with the same email address that has not opted out', async () => {
  const acme = await tenant()
  const suppress = prepareSuppressions(acme, { db, services })
  const setStatus = (table: string, { id }: { id: string }, status: string) =>
    acme.sql(`update crm.${table} set email_status = $2 where id = $1`, [id, status])
  const statusAfter = async (email: string, options: { contact?: string; other?: string } = {}) => {
    const { contact, other = email } = options
    const existing = contact && (await acme.member.post('/api/contacts/', { last_name: 'Moss', email: other })).body
    if (existing) await setStatus('contacts', existing, contact)
    const one = await lead(acme, { email })
    await setStatus('leads', one, 'subscribed')
    const { body } = await convert(acme, one, existing ? { contact_id: existing.id } : {})
    return body.contact.email_status
  }
  await suppress('gone@gmail.com', 'email', 'unsubscribed')

  assert.equal(await statusAfter('new@gmail.com'), 'subscribed')
  assert.equal(await statusAfter('known@gmail.com', { contact: 'unknown' }), 'subscribed')
  assert.equal(await statusAfter('out@gmail.com', { contact: 'unsubscribed' }), 'unsubscribed')
  assert.equal(await statusAfter('dead@gmail.com', { contact: 'bounced' }), 'bounced')
  assert.equal(await statusAfter('gone@gmail.com'), 'unsubscribed')
  assert.equal(await statusAfter('a@gmail.com', { contact: 'unknown', other: 'b@gmail.com' }), 'unknown')
})
