import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { crmReferences } from '../../crm.references.ts'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'

const { tenant, owner } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/contacts/'
const add = async (acme: Acme, contact: object) => (await acme.member.post(url, contact)).body
const merge = (acme: Acme, { id }: { id: string }, others: { id: string }[], more: object = {}) =>
  acme.manager.post(`${url}${id}/merge`, { duplicate_ids: others.map((other) => other.id), ...more })

test('a merge keeps one contact with the values of both', async () => {
  const acme = await tenant()
  await createField(acme, { object_type: 'contact', key: 'tier' })
  await createField(acme, { object_type: 'contact', key: 'size', type: 'number' })
  const accounts = []
  for (const name of ['Initech', 'Umbrella']) accounts.push((await acme.member.post('/api/accounts/', { name })).body)
  const primary = await add(acme, {
    last_name: 'Moss',
    tags: ['a'],
    account_id: accounts[0].id,
    custom: { tier: 'gold' },
  })
  const other = await add(acme, {
    first_name: 'Maurice',
    last_name: 'Mos',
    email: 'moss@x.example',
    phone: '+4930901820',
    tags: ['a', 'b'],
    account_id: accounts[1].id,
    lifecycle_stage: 'customer',
    custom: { tier: 'tin', size: 4 },
  })
  await acme.sql(`update crm.contacts set email_status = 'unsubscribed', call_status = 'do_not_call' where id = $1`, [
    other.id,
  ])

  const { status, body } = await merge(acme, primary, [other])

  assert.equal(status, 200)
  assert.deepEqual(body.merged_ids, [other.id])
  assert.partialDeepStrictEqual(body.contact, {
    id: primary.id,
    name: 'Maurice Moss',
    email: 'moss@x.example',
    phone_e164: '+4930901820',
    account: { id: accounts[0].id, name: 'Initech' },
    lifecycle_stage: 'customer',
    customer_at: other.customer_at,
    email_status: 'unsubscribed',
    call_status: 'do_not_call',
    tags: ['a', 'b'],
    custom: { tier: 'gold', size: 4 },
    version: 2,
  })
  const gone = await acme.member.get(`${url}${other.id}`)
  assert.deepEqual([gone.status, gone.body.merged_into_id], [404, primary.id])
  assert.equal((await acme.admin.post(`${url}${other.id}/restore`)).status, 404)
  assert.deepEqual((await acme.member.get(`${url}?search=maurice`)).body, [body.contact])
  assert.deepEqual((await acme.member.get(`${url}?tag=a`)).body, [body.contact])
  assert.ok((await acme.events()).includes('contact.merged'))
})

test('preferred values win', async () => {
  const acme = await tenant()
  const [one, two, three] = [
    await add(acme, { last_name: 'Moss', title: 'Clerk', email: 'a@x.example' }),
    await add(acme, { last_name: 'Mos', title: 'Boss', email: 'b@x.example' }),
    await add(acme, { last_name: 'M', city: 'Berlin' }),
  ]

  const unknown = await merge(acme, one, [two], { prefer: { salary: two.id } })
  const absent = await merge(acme, one, [two], { prefer: { title: three.id } })
  const { body } = await merge(acme, one, [two, three], { prefer: { title: two.id, email: two.id } })

  assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/prefer/salary'])
  assert.deepEqual([absent.status, absent.body.errors[0].path], [422, '/prefer/title'])
  assert.partialDeepStrictEqual(body.contact, {
    last_name: 'Moss',
    title: 'Boss',
    email: 'b@x.example',
    city: 'Berlin',
  })
})

test('a merge moves all references to the surviving contact', async () => {
  const acme = await tenant()
  const [primary, other, third] = [
    await add(acme, { last_name: 'Moss' }),
    await add(acme, { last_name: 'Mos' }),
    await add(acme, { last_name: 'Mo' }),
  ]
  const account = (await acme.member.post('/api/accounts/', { name: 'Initech' })).body
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body
  await acme.sql(`update crm.leads set converted_contact_id = $2 where id = $1`, [lead.id, other.id])
  const call = (await acme.member.post(`${url}${other.id}/activities`, { type: 'call' })).body
  const deal = (
    await acme.member.post('/api/opportunities/', {
      name: 'Big',
      account_id: account.id,
      close_on: '2030-01-01',
      primary_contact_id: other.id,
    })
  ).body
  for (const { id } of [primary, other, third])
    await acme.sql(
      `insert into crm.opportunity_contacts (tenant_id, opportunity_id, contact_id, role) values ($1, $2, $3, 'champion')
       on conflict do nothing`,
      [acme.id, deal.id, id],
    )
  assert.equal((await merge(acme, other, [third])).status, 200)

  assert.equal((await merge(acme, primary, [other])).status, 200)

  const timeline = (await acme.member.get(`${url}${primary.id}/activities?type=call`)).body.items
  assert.deepEqual(
    timeline.map(({ id }: { id: string }) => id),
    [call.id],
  )
  assert.equal((await acme.member.get(`${url}${third.id}`)).body.merged_into_id, primary.id)
  for (const { column: reference } of crmReferences.filter(({ to }) => to === 'contact')) {
    const [schema, table, column] = reference.split('.')
    const { rows } = await owner.query(`select 1 from ${schema}.${table} where ${column} = any ($1)`, [
      [other.id, third.id],
    ])
    assert.deepEqual(rows, [], reference)
  }
  const { rows } = await acme.sql('select contact_id from crm.opportunity_contacts where opportunity_id = $1', [
    deal.id,
  ])
  assert.deepEqual(rows, [{ contact_id: primary.id }])
})

test('only managers and the owner of all contacts can merge existing contacts', async () => {
  const acme = await tenant()
  const colleague = await acme.person('member')
  const own = await add(acme, { last_name: 'Moss' })
  const second = await add(acme, { last_name: 'Mos' })
  const assigned = await add(acme, { last_name: 'Mo', owner_id: colleague.userId })
  const tryMerge = (user: Acme['member'], id: string, duplicate_ids: string[]) =>
    user.post(`${url}${id}/merge`, { duplicate_ids })

  const foreign = await tryMerge(acme.member, own.id, [assigned.id])
  assert.deepEqual([foreign.status, foreign.body.code], [403, 'role_required'])
  assert.equal((await tryMerge(acme.viewer, own.id, [second.id])).status, 403)
  const unknown = await tryMerge(acme.manager, own.id, [second.id, newId()])
  assert.deepEqual([unknown.body.code, unknown.body.errors[0].path], ['unknown_reference', '/duplicate_ids/1'])
  assert.equal((await tryMerge(acme.manager, own.id, [own.id])).status, 422)
  assert.equal((await tryMerge(acme.manager, own.id, [])).status, 422)
  assert.equal((await tryMerge(acme.member, own.id, [second.id])).status, 200)
  const again = await tryMerge(acme.manager, second.id, [own.id])
  assert.deepEqual([again.status, again.body.merged_into_id], [404, own.id])
})

test('an API key needs the delete scope to merge contacts, because a merge removes records', async () => {
  const acme = await tenant()
  const [one, two] = [await add(acme, { last_name: 'Moss' }), await add(acme, { last_name: 'Mos' })]
  const tryMerge = async (scopes: string[]) => {
    const { body } = await acme.manager.post('/api/api-keys', { name: 'Key', scopes })
    return await acme.bearer(`ApiKey ${body.key}`).post(`${url}${one.id}/merge`, { duplicate_ids: [two.id] })
  }

  const rejected = await tryMerge(['contacts.read', 'contacts.write'])
  const allowed = await tryMerge(['contacts.write', 'contacts.delete'])

  assert.deepEqual([rejected.status, rejected.body.required_scope], [403, 'contacts.delete'])
  assert.equal(allowed.status, 200)
})

test('two concurrent opposite merges leave one contact', async () => {
  const acme = await tenant()
  const [one, two] = [await add(acme, { last_name: 'Moss' }), await add(acme, { last_name: 'Mos' })]

  const responses = await Promise.all([merge(acme, one, [two]), merge(acme, two, [one])])

  const statuses = responses.map(({ status }) => status).sort()
  assert.equal(statuses[0], 200)
  assert.ok([404, 422].includes(statuses[1]!), String(statuses[1]))
  assert.equal((await acme.member.get(url)).body.length, 1)
})

test('possible duplicates are found by email address, then by name and company', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const account = (await acme.member.post('/api/accounts/', { name: 'Acme GmbH' })).body
  const contact = await add(acme, {
    first_name: 'Zoé',
    last_name: 'Ünal',
    email: 'zoe@x.example',
    account_id: account.id,
  })
  const lead = async (who: Acme, fields: object) => (await who.member.post('/api/leads/', fields)).body
  const named = await lead(acme, { first_name: 'zoe', last_name: 'unal', company: 'ACME' })
  const addressed = await lead(acme, { email: 'Zoe@X.example', first_name: 'Zoe', last_name: 'Unal', company: 'Acme' })
  const namesake = await add(acme, { first_name: 'Zoe', last_name: 'Unal', account_id: account.id })
  await lead(acme, { first_name: 'Zoe', last_name: 'Unal', company: 'Initech' })
  await lead(other, { email: 'zoe@x.example' })

  const { body } = await acme.member.get(`${url}${contact.id}/duplicates`)

  assert.deepEqual(
    body.items.map(
      ({ entity_type, record, match, confidence }: Record<string, unknown> & { record: { id: string } }) => [
        entity_type,
        record.id,
        match,
        confidence,
      ],
    ),
    [
      ['lead', addressed.id, 'email', 1],
      ['lead', named.id, 'name_company', 0.8],
      ['contact', namesake.id, 'name_company', 0.8],
    ],
  )
  assert.equal(body.total, 3)
  const phoneOnly = await add(acme, { phone: '+4930901820' })
  assert.deepEqual((await acme.member.get(`${url}${phoneOnly.id}/duplicates`)).body, {
    items: [],
    total: 0,
    total_relation: 'eq',
  })
})

test('an opt-out that a merge keeps outlives the surviving contact', async () => {
  const acme = await tenant()
  const [one, two] = [await add(acme, { email: 'one@x.example' }), await add(acme, { email: 'two@x.example' })]
  await acme.member.put(`${url}${two.id}/consent`, { email_status: 'unsubscribed', basis: 'none', source: 'letter' })

  const { body } = await merge(acme, one, [two])
  await acme.manager.delete(`${url}${one.id}`)

  assert.equal(body.contact.email_status, 'unsubscribed')
  assert.equal((await add(acme, { email: 'one@x.example' })).email_status, 'unsubscribed')
})
