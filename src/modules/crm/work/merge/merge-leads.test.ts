import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForBlockedSessions } from '#testing'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'
import { type Acme, type Answer, callIdsOf, type Id, lead, logCall, merge, read, undo, url } from './merge.fixture.ts'

const { tenant, owner, clock } = await startTestApp()

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
  const [callA, callB] = [(await logCall(acme, a)).id, (await logCall(acme, b)).id]
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
  assert.deepEqual(await callIdsOf(acme, a), [callA, callB].sort())
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
  assert.deepEqual([await callIdsOf(acme, a), await callIdsOf(acme, b)], [[callA], [callB]])
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

/** Sends two requests that both wait for the lead, so that the first one gets it first. */
async function sendInOrder(acme: Acme, { id }: Id, first: () => Promise<Answer>, second: () => Promise<Answer>) {
  const holder = await owner.connect()
  try {
    await holder.query('begin')
    await holder.query('select from crm.leads where tenant_id = $1 and id = $2 for update', [acme.id, id])
    const responses = [first()]
    await waitForBlockedSessions(owner, 1, responses)
    responses.push(second())
    await waitForBlockedSessions(owner, 2, responses)
    await holder.query('commit')
    return await Promise.all(responses)
  } finally {
    holder.release()
  }
}

test('crm-1-13 of a merge and a conversion of the merged lead exactly one succeeds, completely', async () => {
  const acme = await tenant()
  const race = async (
    winner: 'merge' | 'convert',
  ): Promise<{ one: Id; two: Id; merged: Answer; converted: Answer }> => {
    const [one, two] = [await lead(acme, { last_name: 'Moss' }), await lead(acme, { last_name: 'Mos' })]
    const sendMerge = () => merge(acme, one, [two])
    const sendConvert = () => acme.member.post(`${url}${two.id}/convert`)
    const inOrder = winner === 'merge' ? ([sendMerge, sendConvert] as const) : ([sendConvert, sendMerge] as const)
    const responses = await sendInOrder(acme, two, ...inOrder)
    // On a busy machine the requests can exceed the lock timeout.
    if (responses.some(({ status }) => status === 503)) return await race(winner)
    const [merged, converted] = winner === 'merge' ? responses : responses.toReversed()
    return { one, two, merged: merged!, converted: converted! }
  }
  const rowsOf = async ({ id }: Id) => ({
    lead: (
      await acme.sql('select status, merged_into_id, deleted_at is null as is_live from crm.leads where id = $1', [id])
    ).rows[0],
    contacts: (await acme.sql('select id from crm.contacts where lead_id = $1', [id])).rowCount,
    merges: (await acme.sql(`select id from crm.lead_merges where snapshot -> 'merged_ids' ? $1`, [id])).rowCount,
  })

  const { one, two, merged, converted } = await race('merge')
  assert.deepEqual([merged.status, converted.status, converted.body.merged_into_id], [200, 404, one.id])
  const mergedLead = { status: 'new', merged_into_id: one.id, is_live: false }
  assert.deepEqual(await rowsOf(two), { lead: mergedLead, contacts: 0, merges: 1 })

  const reverse = await race('convert')
  assert.deepEqual(
    [reverse.converted.status, reverse.merged.status, reverse.merged.body.code],
    [200, 409, 'lead_converted'],
  )
  const convertedLead = { status: 'converted', merged_into_id: null, is_live: true }
  assert.deepEqual(await rowsOf(reverse.two), { lead: convertedLead, contacts: 1, merges: 0 })
  assert.partialDeepStrictEqual((await read(acme, reverse.one)).body, { version: 1, deleted_at: null })
})

test('a preferred value wins, then the value of the surviving lead, then the newest value', async () => {
  const acme = await tenant()
  await createField(acme, { object_type: 'lead', key: 'tier' })
  await createField(acme, { object_type: 'lead', key: 'size', type: 'number' })
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

test('what happened before the surviving lead was created counts from its creation', async () => {
  const acme = await tenant()
  const old = await lead(acme, { last_name: 'Moss', owner_id: acme.member.userId, lifecycle_stage: 'sql' })
  await logCall(acme, old)
  const earlier = ['created_at', 'first_responded_at', 'assigned_at', 'mql_at', 'sql_at', 'sla_due_at']
  await acme.sql(
    `update crm.leads set ${earlier.map((column) => `${column} = ${column} - interval '2 hours'`).join(', ')} where id = $1`,
    [old.id],
  )
  const surviving = await lead(acme, { last_name: 'Moss', owner_id: null })

  const merged = (await merge(acme, surviving, [old])).body.lead

  const { created_at } = surviving
  assert.partialDeepStrictEqual(merged, {
    created_at,
    owner_id: acme.member.userId,
    first_responder_id: acme.member.userId,
    sla_status: 'met',
    first_responded_at: created_at,
    assigned_at: created_at,
    mql_at: created_at,
    sql_at: created_at,
  })
  const kpis = (await acme.viewer.get('/api/leads/kpis')).body
  assert.deepEqual([kpis.median_first_response_seconds, kpis.within_sla_rate], [0, 1])
  const { speed_to_lead, funnel } = (await acme.viewer.get('/api/leads/analytics')).body
  const immediate = { median_seconds: 0, p90_seconds: 0 }
  assert.deepEqual([speed_to_lead.from_created, speed_to_lead.from_assigned], [immediate, immediate])
  assert.deepEqual(
    funnel.map(({ median_days_from_created }: { median_days_from_created: number | null }) => median_days_from_created),
    [0, 0, 0, null, null],
  )
})

test('an opt-out in a merge applies to the surviving email address, an opt-in or bounce stays with its own', async () => {
  const acme = await tenant()
  const statusAfterMerge = async (name: string, ...statuses: string[]) => {
    const leads = []
    for (const [index, email_status] of statuses.entries()) {
      const one = await lead(acme, { email: `${name}${index}@x.example` })
      leads.push(one)
      if (email_status !== 'unknown')
        await acme.admin.put(`${url}${one.id}/consent`, { email_status, basis: 'none', source: 'test' })
    }
    const merged = (await merge(acme, leads[0], leads.slice(1))).body.lead
    assert.equal((await lead(acme, { email: merged.email })).email_status, merged.email_status)
    return merged.email_status
  }

  assert.equal(await statusAfterMerge('a', 'subscribed', 'unsubscribed'), 'unsubscribed')
  assert.equal(await statusAfterMerge('b', 'unsubscribed', 'complained'), 'complained')
  assert.equal(await statusAfterMerge('c', 'unknown', 'subscribed'), 'unknown')
  assert.equal(await statusAfterMerge('d', 'subscribed', 'bounced'), 'subscribed')
  assert.equal(await statusAfterMerge('e', 'bounced', 'unknown'), 'bounced')
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

test('an API key needs the delete scope to merge leads, because a merge removes records', async () => {
  const acme = await tenant()
  const [one, two] = [await lead(acme, { last_name: 'Moss' }), await lead(acme, { last_name: 'Mos' })]
  const tryMerge = async (scopes: string[]) => {
    const { body } = await acme.manager.post('/api/api-keys', { name: 'Key', scopes })
    return await acme.bearer(`ApiKey ${body.key}`).post(`${url}${one.id}/merge`, { duplicate_ids: [two.id] })
  }

  const rejected = await tryMerge(['leads.read', 'leads.write'])
  const allowed = await tryMerge(['leads.write', 'leads.delete'])

  assert.deepEqual([rejected.status, rejected.body.required_scope], [403, 'leads.delete'])
  assert.equal(allowed.status, 200)
})
