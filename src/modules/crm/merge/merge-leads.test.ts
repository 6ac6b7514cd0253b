import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { leadReferences } from './merge.queries.ts'

const { tenant, owner, clock } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Id = { id: string }

const url = '/api/leads/'
const lead = async (acme: Acme, fields: object) => (await acme.member.post(url, fields)).body
const read = (acme: Acme, { id }: Id) => acme.member.get(`${url}${id}`)
const merge = (acme: Acme, { id }: Id, others: Id[], more: object = {}) =>
  acme.manager.post(`${url}${id}/merge`, { duplicate_ids: others.map((other) => other.id), ...more })
const undo = (acme: Acme, mergeId: string) => acme.manager.post(`${url}merges/${mergeId}/undo`)
const calls = async (acme: Acme, { id }: Id): Promise<string[]> =>
  (await acme.member.get(`${url}${id}/activities?type=call`)).body.items.map((entry: Id) => entry.id).sort()
const call = async (acme: Acme, { id }: Id): Promise<string> =>
  (await acme.member.post(`${url}${id}/activities`, { type: 'call' })).body.id

test('crm-1-13 a merge keeps opt-outs and links merged leads, and undoing it restores both leads', async () => {
  const acme = await tenant()
  const [a, b] = [
    await lead(acme, { last_name: 'Moss', email: 'a@x.example', tags: ['one'] }),
    await lead(acme, {
      first_name: 'Ann',
      last_name: 'Mos',
      email: 'b@x.example',
      phone: '+4930901820',
      tags: ['two'],
    }),
  ]
  const [callA, callB] = [await call(acme, a), await call(acme, b)]
  await acme.sql(`update crm.leads set email_status = 'unsubscribed' where id = $1`, [b.id])
  const before = (await read(acme, a)).body

  const { status, body } = await merge(acme, a, [b])

  assert.equal(status, 200)
  assert.deepEqual(body.merged_ids, [b.id])
  assert.partialDeepStrictEqual(body.lead, {
    id: a.id,
    name: 'Ann Moss',
    email: 'a@x.example',
    phone_e164: '+4930901820',
    email_status: 'unsubscribed',
    tags: ['one', 'two'],
  })
  assert.deepEqual(await calls(acme, a), [callA, callB].sort())
  const merged = await read(acme, b)
  assert.deepEqual([merged.status, merged.body.merged_into_id], [404, a.id])
  assert.equal((await acme.manager.post(`${url}${b.id}/restore`)).status, 404)
  assert.deepEqual(
    (await acme.member.get(`${url}?tag=two`)).body.items.map(({ id }: Id) => id),
    [a.id],
  )

  const undone = await undo(acme, body.merge_id)
  assert.deepEqual([undone.status, undone.body.restored_ids], [200, [b.id]])
  assert.partialDeepStrictEqual(undone.body.lead, {
    name: 'Moss',
    phone: null,
    phone_e164: null,
    email_status: before.email_status,
    tags: ['one'],
    first_responded_at: before.first_responded_at,
    last_activity_at: before.last_activity_at,
  })
  assert.deepEqual([await calls(acme, a), await calls(acme, b)], [[callA], [callB]])
  assert.partialDeepStrictEqual((await read(acme, b)).body, {
    email_status: 'unsubscribed',
    tags: ['two'],
    deleted_at: null,
  })
  assert.deepEqual(
    (await acme.member.get(`${url}?tag=two`)).body.items.map(({ id }: Id) => id),
    [b.id],
  )
  const again = await undo(acme, body.merge_id)
  assert.deepEqual([again.status, again.body.code], [409, 'conflict'])
  const events = await acme.events()
  for (const event of ['lead.merged', 'lead.merge_undone', 'lead.restored'])
    assert.equal(events.filter((type) => type === event).length, 1, event)
})

test('a preferred value wins, then the value of the surviving lead, then the newest value', async () => {
  const acme = await tenant()
  const revenue = { amount: '5000.00', currency: 'EUR' }
  const [one, two, three] = [
    await lead(acme, { last_name: 'Moss', title: 'Clerk', custom: { tier: 'gold' } }),
    await lead(acme, {
      last_name: 'Mos',
      title: 'Boss',
      city: 'Rome',
      lifecycle_stage: 'sql',
      annual_revenue: revenue,
    }),
    await lead(acme, { last_name: 'M', city: 'Berlin', custom: { tier: 'tin', size: 4 }, utm: { source: 'ad' } }),
  ]

  const unknown = await merge(acme, one, [two], { prefer: { salary: two.id } })
  const absent = await merge(acme, one, [two], { prefer: { title: three.id } })
  const { body } = await merge(acme, one, [two, three], { prefer: { title: two.id } })

  assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/prefer/salary'])
  assert.deepEqual([absent.status, absent.body.errors[0].path], [422, '/prefer/title'])
  assert.partialDeepStrictEqual(body.lead, {
    last_name: 'Moss',
    title: 'Boss',
    city: 'Berlin',
    lifecycle_stage: 'sql',
    sql_at: two.sql_at,
    annual_revenue: revenue,
    utm: { source: 'ad' },
    custom: { tier: 'gold', size: 4 },
  })
})

test('changes made since the merge are kept when it is undone', async () => {
  const acme = await tenant()
  const [one, two] = [await lead(acme, { last_name: 'Moss' }), await lead(acme, { title: 'Boss', company: 'Initech' })]
  const { body } = await merge(acme, one, [two])
  await acme.member.patch(`${url}${one.id}`, { title: 'Chief' })
  const later = await call(acme, one)

  const undone = await undo(acme, body.merge_id)

  assert.deepEqual([undone.body.lead.title, undone.body.lead.company], ['Chief', null])
  assert.deepEqual([await calls(acme, one), await calls(acme, two)], [[later], []])
})

test('a merge cannot be undone while two leads would share an email address that must be unique', async () => {
  const acme = await tenant()
  const settingsUrl = `${url}settings`
  const setDuplicates = (lead_email: string) => acme.manager.put(settingsUrl, { duplicates: { lead_email } })
  const [one, two] = [await lead(acme, { email: 'a@x.example' }), await lead(acme, { email: 'A@x.example' })]
  const [three, four] = [await lead(acme, { last_name: 'Moss' }), await lead(acme, { email: 'b@x.example' })]
  const alike = await merge(acme, one, [two])
  const taken = await merge(acme, three, [four])
  await setDuplicates('reject')

  const both = await undo(acme, alike.body.merge_id)
  await acme.member.patch(`${url}${one.id}`, { email: 'other@x.example' })
  const apart = await undo(acme, alike.body.merge_id)
  await acme.member.patch(`${url}${three.id}`, { email: 'third@x.example' })
  const late = await lead(acme, { email: 'b@x.example' })
  const rejected = await undo(acme, taken.body.merge_id)
  await acme.member.delete(`${url}${late.id}`)
  const free = await undo(acme, taken.body.merge_id)

  assert.deepEqual([both.status, both.body.code, both.body.existing_id], [409, 'already_exists', one.id])
  assert.match(both.body.detail, /delete it, or allow duplicate email addresses/)
  assert.equal((await read(acme, one)).body.email, 'other@x.example')
  assert.deepEqual([apart.status, apart.body.restored_ids], [200, [two.id]])
  assert.deepEqual([rejected.status, rejected.body.code, rejected.body.existing_id], [409, 'already_exists', late.id])
  assert.deepEqual([free.status, (await read(acme, four)).body.email], [200, 'b@x.example'])
})

test('a merge of leads with the same email address can be undone if duplicates are allowed', async () => {
  const acme = await tenant()
  const [one, two] = [await lead(acme, { email: 'a@x.example' }), await lead(acme, { email: 'a@x.example' })]
  const { body } = await merge(acme, one, [two])

  const undone = await undo(acme, body.merge_id)

  assert.deepEqual([undone.status, (await read(acme, two)).body.email], [200, 'a@x.example'])
})

test('a merge cannot be undone if another lead uses the previous email address of the surviving lead', async () => {
  const acme = await tenant()
  const [one, two] = [await lead(acme, { email: 'a@x.example' }), await lead(acme, { email: 'b@x.example' })]
  const { body } = await merge(acme, one, [two], { prefer: { email: two.id } })
  await acme.manager.put(`${url}settings`, { duplicates: { lead_email: 'reject' } })
  const late = await lead(acme, { email: 'a@x.example' })

  const rejected = await undo(acme, body.merge_id)

  assert.deepEqual([rejected.status, rejected.body.existing_id], [409, late.id])
  assert.equal((await read(acme, one)).body.email, 'b@x.example')
})

test('a converted lead can only be the surviving lead, and a conversion makes the merge permanent', async () => {
  const acme = await tenant()
  const [one, two, three] = [
    await lead(acme, { last_name: 'Moss' }),
    await lead(acme, { last_name: 'Mos' }),
    await lead(acme, { last_name: 'Mo' }),
  ]
  await acme.member.post(`${url}${one.id}/convert`)

  const rejected = await merge(acme, two, [one])
  const allowed = await merge(acme, one, [two])
  assert.deepEqual([rejected.status, rejected.body.code, allowed.status], [409, 'lead_converted', 200])
  assert.equal((await undo(acme, allowed.body.merge_id)).status, 200)

  const { body } = await merge(acme, three, [two])
  await acme.member.post(`${url}${three.id}/convert`)
  const late = await undo(acme, body.merge_id)
  assert.deepEqual([late.status, late.body.code], [409, 'lead_converted'])
})

test('managers and the owner of all leads can merge them, and managers can undo it for 30 days', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const colleague = await acme.person('member')
  const own = await lead(acme, { last_name: 'Moss' })
  const second = await lead(acme, { last_name: 'Mos' })
  const colleagues = await lead(acme, { last_name: 'Mo', owner_id: colleague.userId })
  const foreign = await lead(other, { last_name: 'Moss' })
  const tryMerge = (user: Acme['member'], id: string, duplicate_ids: string[]) =>
    user.post(`${url}${id}/merge`, { duplicate_ids })

  const others = await tryMerge(acme.member, own.id, [colleagues.id])
  assert.deepEqual([others.status, others.body.code], [403, 'role_required'])
  assert.equal((await tryMerge(acme.viewer, own.id, [second.id])).status, 403)
  const unknown = await tryMerge(acme.manager, own.id, [second.id, foreign.id])
  assert.deepEqual([unknown.body.code, unknown.body.errors[0].path], ['unknown_reference', '/duplicate_ids/1'])
  assert.equal((await tryMerge(acme.manager, own.id, [own.id])).status, 422)
  const { status, body } = await tryMerge(acme.member, own.id, [second.id])
  assert.equal(status, 200)
  assert.equal((await acme.member.post(`${url}merges/${body.merge_id}/undo`)).status, 403)
  assert.equal((await undo(other, body.merge_id)).status, 404)
  assert.equal((await undo(acme, newId())).status, 404)
  const late = await tryMerge(acme.manager, own.id, [colleagues.id])
  clock.advance(31 * 86_400)
  const manager = await acme.signIn(acme.manager.userId)
  assert.equal((await manager.post(`${url}merges/${late.body.merge_id}/undo`)).status, 404)
  clock.advance(-31 * 86_400)
})

test('leadReferences lists every column that references a lead', async () => {
  const { rows } = await owner.query<{ column: string }>(`
    select conrelid::regclass || '.' || attname as column from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = any (conkey)
      where confrelid = 'crm.leads'::regclass and attname <> 'tenant_id'
    union
    select table_schema || '.' || table_name || '.' || column_name from information_schema.columns
      where column_name = 'lead_id'
    order by 1`)

  assert.deepEqual(
    rows.map(({ column }) => column),
    Object.keys(leadReferences),
    'add missing columns to leadReferences, or subscribe to lead.merged in the other module',
  )
})
