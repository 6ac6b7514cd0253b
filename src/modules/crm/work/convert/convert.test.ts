import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { startTestApp, waitForBlockedSessions } from '#testing'

const { tenant, clock, owner } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Answer = Awaited<ReturnType<Acme['member']['get']>>

const url = '/api/leads/'
const lead = async (acme: Acme, fields: object) => (await acme.member.post(url, fields)).body
const convert = (acme: Acme, { id }: { id: string }, request: object = {}) =>
  acme.member.post(`${url}${id}/convert`, request)
const count = async (acme: Acme, table: string): Promise<number> =>
  (await acme.sql(`select count(*)::int as n from crm.${table} where tenant_id = $1`, [acme.id])).rows[0].n
const ids = ({ body }: { body: { account: { id: string }; contact: { id: string } } }) => [
  body.account.id,
  body.contact.id,
]
const ann = {
  first_name: 'Ann',
  last_name: 'Moss',
  email: 'ann@initech.example',
  phone: '+49 30 901820',
  company: 'Initech GmbH',
  title: 'CTO',
  industry: 'Software',
  employee_count: 300,
  annual_revenue: { amount: '5000.00', currency: 'EUR' },
  tags: ['hot'],
}

test('converting a lead creates an account and a contact with its fields and activities', async () => {
  const acme = await tenant()
  const { id } = await lead(acme, { ...ann, owner_id: acme.member.userId })
  const call = (await acme.member.post(`${url}${id}/activities`, { type: 'call' })).body

  const { status, body } = await convert(acme, { id })

  assert.equal(status, 200)
  assert.deepEqual(body.created, { account: true, contact: true, opportunity: false })
  assert.deepEqual([body.already_converted, body.opportunity], [false, null])
  assert.partialDeepStrictEqual(body.account, {
    name: 'Initech GmbH',
    domain: 'initech.example',
    type: 'prospect',
    industry: 'Software',
    employee_count: 300,
    annual_revenue: ann.annual_revenue,
    owner_id: acme.member.userId,
  })
  assert.partialDeepStrictEqual(body.contact, {
    name: 'Ann Moss',
    email: ann.email,
    title: 'CTO',
    account: { id: body.account.id, name: 'Initech GmbH' },
    lifecycle_stage: 'sql',
    lead_id: id,
    tags: ['hot'],
  })
  assert.partialDeepStrictEqual(body.lead, {
    status: 'converted',
    lifecycle_stage: 'sql',
    converted_by: acme.member.userId,
    converted_account_id: body.account.id,
    converted_contact_id: body.contact.id,
    converted_opportunity_id: null,
  })
  for (const timeline of [`/api/contacts/${body.contact.id}`, `/api/accounts/${body.account.id}`]) {
    const { items } = (await acme.member.get(`${timeline}/activities?type=call`)).body
    assert.deepEqual(
      items.map((entry: { id: string }) => entry.id),
      [call.id],
    )
  }
  const events = await acme.events()
  for (const event of ['account.created', 'contact.created', 'lead.stage_changed', 'lead.converted'])
    assert.equal(events.filter((type) => type === event).length, 1, event)
  assert.ok((await acme.audit()).includes('lead.converted'))
  const { rows } = await acme.sql(
    `select distinct source from crm.field_provenance where entity_type in ('contact', 'account') and tenant_id = $1`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ source: 'convert' }])
  assert.equal((await acme.member.patch(`${url}${id}`, { title: 'CEO' })).body.code, 'lead_converted')
})

test('crm-1-7 concurrent conversions create one account and contact, and a later deal is created once', async () => {
  const acme = await tenant()
  const one = await lead(acme, ann)

  const responses = await Promise.all([convert(acme, one), convert(acme, one), convert(acme, one)])
  const withDeal = await Promise.all([1, 2].map(() => convert(acme, one, { create_opportunity: true })))
  const third = await convert(acme, one, { create_opportunity: true })

  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(new Set(responses.map((response) => ids(response).join())).size, 1)
  assert.equal(responses.filter(({ body }) => body.already_converted).length, 2)
  assert.deepEqual([await count(acme, 'accounts'), await count(acme, 'contacts')], [1, 1])
  const deals = [...withDeal, third].map(({ body }) => body.opportunity.id)
  assert.equal(new Set(deals).size, 1)
  assert.equal(withDeal.filter(({ body }) => body.created.opportunity).length, 1)
  assert.equal(await count(acme, 'opportunities'), 1)
  assert.partialDeepStrictEqual(third.body, {
    already_converted: true,
    created: { account: false, contact: false, opportunity: false },
    lead: { lifecycle_stage: 'opportunity', converted_opportunity_id: deals[0] },
    contact: { lifecycle_stage: 'opportunity' },
  })
})

test('crm-1-8 two leads with the same email address become one contact, and a failed conversion changes nothing', async () => {
  const acme = await tenant()
  // Nothing but the address is equal: a free email address says nothing about the company.
  const [one, two] = [
    await lead(acme, { last_name: 'Moss', email: 'ann@gmail.com', company: 'Initech' }),
    await lead(acme, { last_name: 'Mos', email: 'ANN@gmail.com', company: 'Umbrella' }),
  ]
  assert.deepEqual([one.company_domain, two.company_domain], [null, null])

  const responses = await withBlockedContacts([() => convert(acme, one), () => convert(acme, two)])

  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(new Set(responses.map((response) => ids(response).join())).size, 1)
  assert.deepEqual(responses.map(({ body }) => body.created.contact).sort(), [false, true])
  assert.deepEqual([await count(acme, 'accounts'), await count(acme, 'contacts')], [1, 1])
  for (const { id } of [one, two])
    assert.partialDeepStrictEqual((await acme.member.get(`${url}${id}`)).body, {
      status: 'converted',
      converted_contact_id: responses[0]!.body.contact.id,
      converted_account_id: responses[0]!.body.account.id,
    })

  const globex = await tenant()
  const three = await lead(globex, ann)
  const before = await globex.events()
  const opportunity = { amount: { amount: '10.00', currency: 'CHF' } }
  const rejected = await convert(globex, three, { create_opportunity: true, opportunity })
  assert.equal(rejected.status, 422)
  assert.equal(rejected.body.code, 'no_exchange_rate')
  for (const table of ['accounts', 'contacts', 'opportunities', 'pipelines'])
    assert.equal(await count(globex, table), 0)
  assert.deepEqual(await globex.events(), before)
  assert.deepEqual((await globex.member.get(`${url}${three.id}`)).body, three)
})

/** Starts all requests while no contact can be inserted, so that each has read the contacts before another inserts one. */
async function withBlockedContacts(requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const holder = await owner.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table crm.contacts in share row exclusive mode')
    const responses = requests.map((send) => send())
    await waitForBlockedSessions(owner, requests.length, responses)
    await holder.query('commit')
    const answers = await Promise.all(responses)
    // On a busy machine a request can exceed the lock timeout.
    return await Promise.all(answers.map((answer, index) => (answer.status === 503 ? requests[index]!() : answer)))
  } finally {
    holder.release()
  }
}

test('crm-3-11 a deal of a conversion starts in the first stage of the default pipeline', async () => {
  const acme = await tenant()
  const one = await lead(acme, { ...ann, owner_id: acme.member.userId })

  const now = clock.now()
  const today = now.toISOString().slice(0, 10)
  const { body } = await convert(acme, one, { create_opportunity: true })

  assert.partialDeepStrictEqual(body.opportunity, {
    name: `Initech GmbH - ${today.slice(0, 7)}`,
    pipeline: { name: 'Sales' },
    stage_key: 'prospecting',
    close_on: daysLater(now, 90).toISOString().slice(0, 10),
    lead_id: one.id,
    primary_contact_id: body.contact.id,
    account_id: body.account.id,
    owner_id: acme.member.userId,
    amount: null,
  })
  assert.deepEqual([body.lead.lifecycle_stage, body.contact.lifecycle_stage], ['opportunity', 'opportunity'])
})

test('existing accounts and contacts are reused, and only their empty fields are filled', async () => {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Initech', industry: 'Paper' })).body
  const contact = (
    await acme.member.post('/api/contacts/', { email: 'Ann@Initech.example', title: 'Boss', account_id: account.id })
  ).body
  const one = await lead(acme, { ...ann, company: 'Somewhere else' })

  const { body } = await convert(acme, one)

  assert.deepEqual(body.created, { account: false, contact: false, opportunity: false })
  assert.partialDeepStrictEqual(body.account, {
    id: account.id,
    name: 'Initech',
    industry: 'Paper',
    domain: 'initech.example',
    employee_count: 300,
  })
  assert.partialDeepStrictEqual(body.contact, {
    id: contact.id,
    title: 'Boss',
    last_name: 'Moss',
    lifecycle_stage: 'sql',
  })
  const byDomain = await convert(acme, await lead(acme, { email: 'bob@initech.example', company: 'Unheard of' }))
  const byName = await convert(acme, await lead(acme, { last_name: 'Roy', company: 'INITECH Ltd.' }))
  assert.deepEqual([byDomain.body.account.id, byName.body.account.id], [account.id, account.id])
  const person = await convert(acme, await lead(acme, { last_name: 'Solo', email: 'solo@gmail.com' }))
  assert.deepEqual([person.body.account.name, person.body.account.type], ['Solo', 'person'])
})

test('contradictory requests and unqualified leads are rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const one = await lead(acme, ann)
  const errorOf = async (request: object, to = one) => {
    const { status, body } = await convert(acme, to, request)
    return [status, body.code, body.errors?.[0]?.path]
  }
  const accounts = []
  for (const name of ['Initech', 'Umbrella']) accounts.push((await acme.member.post('/api/accounts/', { name })).body)
  const contact = (await acme.member.post('/api/contacts/', { last_name: 'M', account_id: accounts[0].id })).body
  const foreign = (await other.member.post('/api/accounts/', { name: 'Initech' })).body
  const unqualified = await lead(acme, { last_name: 'Roy', status: 'unqualified', disqualify_reason: 'bad_fit' })
  const withoutPerson = await lead(acme, { company: 'Initech' })

  assert.deepEqual(await errorOf({ opportunity: {} }), [422, 'validation_failed', '/opportunity'])
  assert.deepEqual(await errorOf({ account_id: accounts[1].id, contact_id: contact.id }), [
    422,
    'validation_failed',
    '/account_id',
  ])
  assert.deepEqual(await errorOf({ account_id: foreign.id }), [422, 'unknown_reference', '/account_id'])
  assert.deepEqual(await errorOf({ contact_id: newId() }), [422, 'unknown_reference', '/contact_id'])
  assert.deepEqual(await errorOf({ owner_id: other.member.userId }), [422, 'unknown_reference', '/owner_id'])
  const request = { create_opportunity: true, opportunity: { stage_key: 'nowhere' } }
  assert.deepEqual((await errorOf(request))[2], '/opportunity/stage_key')
  assert.deepEqual(await errorOf({}, unqualified), [409, 'invalid_transition', undefined])
  assert.deepEqual(await errorOf({}, withoutPerson), [409, 'conflict', undefined])
  assert.equal((await acme.viewer.post(`${url}${one.id}/convert`)).status, 403)
  assert.equal((await other.member.post(`${url}${one.id}/convert`)).status, 404)
  assert.equal(await count(acme, 'contacts'), 1)
})
