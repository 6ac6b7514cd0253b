import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { optIn, prepareSuppressions } from '../../people/consent/consent.fixture.ts'

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

test('an opt-in of a lead belongs to its email address, an opt-out also applies to an existing contact', async () => {
  const acme = await tenant()
  const suppress = prepareSuppressions(acme, { db, services })
  const statusAfter = async (email: string, contactEmail?: string) => {
    const existing =
      contactEmail && (await acme.member.post('/api/contacts/', { last_name: 'Moss', email: contactEmail })).body
    const one = await lead(acme, { email })
    if (one.email_status === 'unknown') await acme.member.put(`/api/leads/${one.id}/consent`, optIn)
    const { body } = await convert(acme, one, existing ? { contact_id: existing.id } : {})
    return body.contact.email_status
  }
  for (const email of ['gone@gmail.com', 'out@gmail.com']) await suppress(email, 'email', 'unsubscribed')
  await suppress('dead@gmail.com', 'email', 'bounced')

  assert.equal(await statusAfter('new@gmail.com'), 'subscribed')
  assert.equal(await statusAfter('known@gmail.com', 'known@gmail.com'), 'subscribed')
  assert.equal(await statusAfter('dead@gmail.com', 'dead@gmail.com'), 'bounced')
  assert.equal(await statusAfter('gone@gmail.com'), 'unsubscribed')
  assert.equal(await statusAfter('a@gmail.com', 'b@gmail.com'), 'unknown')
  assert.equal(await statusAfter('out@gmail.com', 'c@gmail.com'), 'unsubscribed')
  assert.equal((await lead(acme, { email: 'c@gmail.com' })).email_status, 'unsubscribed')
})

test('a converted lead names its contact, account, deal and first responder, until they are deleted', async () => {
  const acme = await tenant()
  const { id } = (await acme.member.post('/api/leads/', { last_name: 'Moss', company: 'Initech' })).body
  await acme.member.post(`/api/leads/${id}/activities`, { type: 'call' })
  const opportunity = { name: 'Initech renewal' }
  const converted = (await acme.member.post(`/api/leads/${id}/convert`, { create_opportunity: true, opportunity })).body
  const idOf = ({ id: recordId }: { id: string }) => recordId

  const lead = (await acme.member.get(`/api/leads/${id}`)).body
  const [listed] = (await acme.member.get('/api/leads/')).body.items
  await acme.manager.delete(`/api/opportunities/${idOf(converted.opportunity)}`)
  const later = (await acme.member.get(`/api/leads/${id}`)).body

  const names = {
    converted_contact: { id: idOf(converted.contact), name: 'Moss' },
    converted_account: { id: idOf(converted.account), name: 'Initech' },
    converted_opportunity: { id: idOf(converted.opportunity), name: 'Initech renewal' },
    first_responder: { id: acme.member.userId, name: lead.first_responder.name },
  }
  assert.partialDeepStrictEqual(lead, names)
  assert.partialDeepStrictEqual(listed, names)
  assert.notEqual(lead.first_responder.name, '')
  assert.deepEqual([later.converted_opportunity, later.converted_contact], [null, names.converted_contact])
})
