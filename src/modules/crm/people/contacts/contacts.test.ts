import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'
import { prepareSuppressions } from '../consent/consent.fixture.ts'

const { tenant, db, services } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/contacts/'
const add = async (acme: Acme, contact: object) => (await acme.member.post(url, contact)).body

test('a contact stores all fields and computes the derived ones', async () => {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Initech' })).body
  await createField(acme, { object_type: 'contact', key: 'tier' })
  const input = {
    first_name: 'Zoé',
    last_name: 'Ünal',
    email: 'Zoe@Initech.example',
    phone: '(0)30 901820',
    title: 'CTO',
    department: 'Engines',
    account_id: account.id,
    owner_id: acme.manager.userId,
    linkedin_url: 'https://linkedin.example/in/zoe',
    country: 'DE',
    region: 'Berlin',
    city: 'Berlin',
    timezone: 'Europe/Berlin',
    source: 'webinar',
    lifecycle_stage: 'sql',
    tags: ['vip'],
    notes: 'Likes tea',
    custom: { tier: 'gold' },
  }

  const { status, headers, body } = await acme.member.post(url, input)

  assert.deepEqual([status, headers.location, headers.etag], [201, `/api/contacts/${body.id}`, '"1"'])
  assert.partialDeepStrictEqual(body, {
    ...input,
    name: 'Zoé Ünal',
    phone_e164: '+4930901820',
    account: { id: account.id, name: 'Initech' },
    account_name: 'Initech',
    owner: { id: acme.manager.userId, name: acme.manager.name },
    mql_at: body.created_at,
    sql_at: body.created_at,
    opportunity_at: null,
    email_status: 'unknown',
    call_status: 'allowed',
    lead_id: null,
    created_by: acme.member.userId,
  })
  for (const hidden of ['email_key', 'name_key', 'search_text', 'deleted_at', 'tenant_id'])
    assert.equal(hidden in body, false, hidden)
  assert.deepEqual((await acme.member.get(`${url}${body.id}`)).body, body)
  assert.ok((await acme.events()).includes('contact.created'))
  assert.ok((await acme.audit()).includes('contact.created'))
  const steps = await acme.sql('select to_stage, implied from crm.lifecycle_events where contact_id = $1 order by id', [
    body.id,
  ])
  assert.deepEqual(steps.rows, [
    { to_stage: 'mql', implied: true },
    { to_stage: 'sql', implied: false },
  ])
})

test('crm-2-1 an email address is unique among contacts, ignoring case, until the contact is deleted', async () => {
  const acme = await tenant()
  const ann = await add(acme, { email: 'Ann@X.example' })

  const taken = await acme.member.post(url, { email: 'ann@x.EXAMPLE' })
  await acme.member.delete(`${url}${ann.id}`)
  const free = await acme.member.post(url, { email: 'ann@x.EXAMPLE' })
  const back = await acme.member.post(`${url}${ann.id}/restore`)

  assert.deepEqual([taken.status, taken.body.code, taken.body.existing_id], [409, 'already_exists', ann.id])
  assert.equal(free.status, 201)
  assert.deepEqual([back.status, back.body.code, back.body.existing_id], [409, 'already_exists', free.body.id])
})

test('crm-2-2 one of two concurrent creates with the same email address succeeds', async () => {
  const acme = await tenant()

  for (let round = 0; round < 5; round++) {
    const contact = { email: `ann${round}@x.example` }
    const responses = await Promise.all([acme.member.post(url, contact), acme.manager.post(url, contact)])
    const [added, refused] = responses.toSorted((one, other) => one.status - other.status)
    assert.deepEqual([added!.status, refused!.status, refused!.body.existing_id], [201, 409, added!.body.id])
  }
  assert.equal((await acme.member.get(url)).headers['x-total-count'], '5')
})

test('one of two concurrent updates to the same email address succeeds', async () => {
  const acme = await tenant()
  const people = [await add(acme, { last_name: 'Moss' }), await add(acme, { last_name: 'Roy' })]

  const responses = await Promise.all(
    people.map(({ id }) => acme.member.patch(`${url}${id}`, { email: 'it@x.example' })),
  )

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409])
})

test('crm-2-6 only a customer can become a former customer, and a reason is required', async () => {
  const acme = await tenant()
  const contact = await add(acme, { last_name: 'Moss', lifecycle_stage: 'customer' })
  const lead = await add(acme, { last_name: 'Roy' })
  const update = (id: string, change: object) => acme.member.patch(`${url}${id}`, change)

  const withoutReason = await update(contact.id, { lifecycle_stage: 'former_customer' })
  const withReason = await update(contact.id, { lifecycle_stage: 'former_customer', stage_reason: 'They moved on' })
  const fromLead = await update(lead.id, { lifecycle_stage: 'former_customer', stage_reason: 'No' })

  assert.deepEqual([withoutReason.status, withoutReason.body.errors[0].path], [422, '/stage_reason'])
  assert.equal(withReason.status, 200)
  assert.deepEqual(
    [withReason.body.lifecycle_stage, withReason.body.customer_at],
    ['former_customer', contact.customer_at],
  )
  assert.ok(withReason.body.former_customer_at)
  assert.deepEqual([fromLead.status, fromLead.body.code, fromLead.body.from], [409, 'invalid_transition', 'lead'])
  assert.ok(fromLead.body.allowed.includes('customer'))
  assert.ok((await acme.events()).includes('contact.stage_changed'))
})

test('moving a contact to an earlier stage requires a reason and keeps the first timestamps', async () => {
  const acme = await tenant()
  const contact = await add(acme, { last_name: 'Moss', lifecycle_stage: 'opportunity' })
  const update = (change: object) => acme.member.patch(`${url}${contact.id}`, change)

  assert.equal((await update({ lifecycle_stage: 'lead' })).status, 422)
  const back = (await update({ lifecycle_stage: 'lead', stage_reason: 'No budget' })).body
  const again = (await update({ lifecycle_stage: 'customer' })).body

  assert.deepEqual([back.lifecycle_stage, back.opportunity_at], ['lead', contact.opportunity_at])
  assert.deepEqual([again.opportunity_at, again.version], [contact.opportunity_at, 3])
  assert.ok(again.customer_at)
})

test('crm-2-7 an update with a used email address or a stale version is rejected', async () => {
  const acme = await tenant()
  const [ann, bob] = [await add(acme, { email: 'ann@x.example' }), await add(acme, { email: 'bob@x.example' })]

  const taken = await acme.member.patch(`${url}${bob.id}`, { email: 'ANN@x.example' })
  const own = await acme.member.patch(`${url}${bob.id}`, { email: 'Bob@x.example' })
  const stale = await acme.member.patch(`${url}${bob.id}`, { title: 'Boss' }, { 'if-match': '"1"' })
  const same = await acme.member.patch(`${url}${ann.id}`, { email: 'ann@x.example' })

  assert.deepEqual([taken.status, taken.body.code, taken.body.existing_id], [409, 'already_exists', ann.id])
  assert.deepEqual([own.status, own.body.email, own.body.version], [200, 'Bob@x.example', 2])
  assert.deepEqual([stale.status, stale.body.code], [412, 'version_mismatch'])
  assert.equal(same.body.version, 1)
})

test('crm-2-8 viewers cannot create contacts, and members can delete only their own', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const contact = await add(acme, { last_name: 'Moss' })
  const assigned = await add(acme, { last_name: 'Roy', owner_id: colleague.userId })

  const refused = [
    await acme.viewer.post(url, { last_name: 'Jen' }),
    await colleague.delete(`${url}${contact.id}`),
    await acme.member.delete(`${url}${assigned.id}`),
  ]

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    [
      [403, 'scope_required'],
      [403, 'role_required'],
      [403, 'role_required'],
    ],
  )
  assert.equal((await colleague.delete(`${url}${assigned.id}`)).status, 204)
  assert.equal((await acme.manager.delete(`${url}${contact.id}`)).status, 204)
  assert.equal((await acme.manager.delete(`${url}${contact.id}`)).status, 404)
  assert.equal((await acme.viewer.get(url)).status, 200)
})

test('a deleted contact can be restored for 30 days by the user who deleted it or a manager', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const [one, other] = [await add(acme, { last_name: 'Moss' }), await add(acme, { last_name: 'Roy' })]
  for (const { id } of [one, other]) await acme.member.delete(`${url}${id}`)
  await acme.sql(`update crm.contacts set deleted_at = now() - interval '31 days' where id = $1`, [other.id])

  assert.equal((await acme.member.get(`${url}${one.id}`)).status, 404)
  assert.deepEqual((await acme.member.get(url)).body, [])
  assert.equal((await colleague.post(`${url}${one.id}/restore`)).status, 403)
  const back = await acme.member.post(`${url}${one.id}/restore`)
  assert.deepEqual([back.status, back.body.last_name], [200, 'Moss'])
  for (const id of [one.id, other.id, newId()])
    assert.equal((await acme.admin.post(`${url}${id}/restore`)).status, 404, 'not deleted, too late, unknown')
  for (const type of ['contact.deleted', 'contact.restored']) assert.ok((await acme.events()).includes(type), type)
})

test('an opt-out while a contact was deleted applies to the restored contact', async () => {
  const acme = await tenant()
  const suppress = prepareSuppressions(acme, { db, services })
  const contact = await add(acme, { email: 'moss@x.example', phone: '+4930901820' })
  await acme.member.delete(`${url}${contact.id}`)
  await suppress('moss@x.example', 'email', 'unsubscribed')
  await suppress('+4930901820', 'phone', 'manual')

  const { body } = await acme.member.post(`${url}${contact.id}/restore`)

  assert.deepEqual([body.email_status, body.call_status], ['unsubscribed', 'do_not_call'])
})

test('contacts, accounts and users of another workspace do not exist', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const foreign = await add(other, { email: 'moss@x.example', tags: ['vip'] })
  const account = (await other.member.post('/api/accounts/', { name: 'Initech' })).body

  const responses = [
    await acme.admin.get(`${url}${foreign.id}`),
    await acme.admin.patch(`${url}${foreign.id}`, { title: 'Mine' }),
    await acme.admin.delete(`${url}${foreign.id}`),
    await acme.admin.post(`${url}${foreign.id}/restore`),
    await acme.admin.get(`${url}${foreign.id}/duplicates`),
    await acme.admin.post(`${url}${foreign.id}/merge`, { duplicate_ids: [newId()] }),
  ]
  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'not_found'])
  for (const reference of [{ account_id: account.id }, { owner_id: other.member.userId }]) {
    const { status, body } = await acme.admin.post(url, { last_name: 'Moss', ...reference })
    assert.deepEqual([status, body.code], [422, 'unknown_reference'])
  }
  for (const query of ['', '?search=moss', '?tag=vip', `?owner_id=${other.member.userId}`])
    assert.deepEqual((await acme.admin.get(`${url}${query}`)).body, [], query)
  assert.equal(
    (await acme.member.post(url, { email: 'moss@x.example' })).status,
    201,
    'email addresses are unique per workspace',
  )
})

test('a contact requires an identifying field and valid values', async () => {
  const acme = await tenant()
  const getError = async (contact: object) => {
    const { status, body } = await acme.member.post(url, contact)
    return [status, body.errors?.[0]?.path]
  }

  assert.deepEqual(await getError({}), [422, ''])
  assert.deepEqual(await getError({ first_name: 'Ann', title: 'Boss' }), [422, ''])
  assert.deepEqual(await getError({ email: 'not-an-email' }), [422, '/email'])
  assert.deepEqual(await getError({ last_name: 'Moss', country: 'QX' }), [422, '/country'])
  assert.deepEqual(await getError({ last_name: 'Moss', timezone: 'Mars/Olympus' }), [422, '/timezone'])
  assert.deepEqual(await getError({ last_name: 'Moss', account_id: newId() }), [422, '/account_id'])
  assert.deepEqual(await getError({ last_name: 'Moss', email_status: 'subscribed' }), [422, '/email_status'])
  assert.deepEqual(await getError({ last_name: 'Moss', lifecycle_stage: 'former_customer' }), [422, '/lifecycle_stage'])
  const contact = await add(acme, { last_name: 'Moss' })
  assert.equal((await acme.member.patch(`${url}${contact.id}`, { last_name: null })).status, 422)
  assert.equal((await acme.member.patch(`${url}${contact.id}`, { last_name: null, phone: '12345' })).status, 200)
})
