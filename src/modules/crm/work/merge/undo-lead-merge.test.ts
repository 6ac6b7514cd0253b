import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { prepareSuppressions } from '../../people/consent/consent.fixture.ts'
import { callIdsOf, type Id, lead, logCall, merge, read, undo, url } from './merge.fixture.ts'

const { tenant, db, services } = await startTestApp()
const consentOf = ({ email_status, call_status }: Record<string, string>) => [email_status, call_status]

test('changes made since the merge are kept when it is undone', async () => {
  const acme = await tenant()
  const [one, two] = [await lead(acme, { last_name: 'Moss' }), await lead(acme, { title: 'Boss', company: 'Initech' })]
  const { body } = await merge(acme, one, [two])
  await acme.member.patch(`${url}${one.id}`, { title: 'Chief' })
  const later = (await logCall(acme, one)).id

  const undone = await undo(acme, body.merge_id)

  assert.deepEqual([undone.body.lead.title, undone.body.lead.company], ['Chief', null])
  assert.deepEqual([await callIdsOf(acme, one), await callIdsOf(acme, two)], [[later], []])
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

test('a response and a stage change since the merge stay with the surviving lead', async () => {
  const acme = await tenant()
  const [one, two] = [
    await lead(acme, { last_name: 'Moss' }),
    await lead(acme, { last_name: 'Mos', lifecycle_stage: 'mql' }),
  ]
  const early = await logCall(acme, two)
  const merged = (await merge(acme, one, [two])).body
  assert.equal(merged.lead.first_responded_at, early.occurred_at)
  const [late, reply] = [await logCall(acme, one), await logCall(acme, one, { direction: 'in' })]
  await acme.member.patch(`${url}${one.id}`, { lifecycle_stage: 'sql' })

  const unmerged = (await undo(acme, merged.merge_id)).body.lead

  assert.partialDeepStrictEqual(unmerged, {
    first_responded_at: late.occurred_at,
    first_responder_id: acme.member.userId,
    lifecycle_stage: 'sql',
    last_activity_at: reply.occurred_at,
    last_engaged_at: reply.occurred_at,
  })
  assert.ok(unmerged.mql_at && unmerged.mql_at <= unmerged.sql_at, 'an SQL was an MQL')
  const restored = (await read(acme, two)).body
  assert.deepEqual([restored.first_responded_at, restored.last_activity_at], [early.occurred_at, early.occurred_at])
})

test('a response that was deleted since the merge does not return', async () => {
  const acme = await tenant()
  const [one, two] = [await lead(acme, { last_name: 'Moss' }), await lead(acme, { last_name: 'Mos' })]
  const early = await logCall(acme, two)
  const merged = (await merge(acme, one, [two])).body
  await acme.member.delete(`${url}${one.id}/activities/${early.id}`)

  assert.equal((await undo(acme, merged.merge_id)).status, 200)

  assert.partialDeepStrictEqual((await read(acme, two)).body, {
    first_responded_at: null,
    first_responder_id: null,
    last_activity_at: null,
    sla_status: 'pending',
  })
})

test('opt-outs since the merge remain after it is undone', async () => {
  const acme = await tenant()
  const suppress = prepareSuppressions(acme, { db, services })
  const [one, two] = [
    await lead(acme, { email: 'one@x.example', phone: '+4930901820' }),
    await lead(acme, { email: 'two@x.example', phone: '+4930901821' }),
  ]
  await acme.sql(`update crm.leads set email_status = 'unsubscribed', call_status = 'do_not_call' where id = $1`, [
    two.id,
  ])
  const merged = (await merge(acme, one, [two])).body
  assert.deepEqual(consentOf(merged.lead), ['unsubscribed', 'do_not_call'])
  await suppress('one@x.example', 'email', 'unsubscribed')
  await suppress('+4930901820', 'phone', 'manual')
  await suppress('two@x.example', 'email', 'complained')

  const unmerged = (await undo(acme, merged.merge_id)).body.lead

  assert.deepEqual(consentOf(unmerged), ['unsubscribed', 'do_not_call'])
  assert.deepEqual(consentOf((await read(acme, two)).body), ['complained', 'do_not_call'])
})

test('an opt-in since the merge stays with its email address', async () => {
  const acme = await tenant()
  const [one, two] = [await lead(acme, { email: 'one@x.example' }), await lead(acme, { email: 'two@x.example' })]
  const merged = (await merge(acme, one, [two], { prefer: { email: two.id } })).body
  await acme.sql(`update crm.leads set email_status = 'subscribed' where id = $1`, [one.id])

  const unmerged = (await undo(acme, merged.merge_id)).body.lead

  assert.deepEqual([unmerged.email, unmerged.email_status], ['one@x.example', 'unknown'])
})

test('an opt-out that a merge keeps outlives the surviving lead, and ends when the merge is undone', async () => {
  const acme = await tenant()
  const people = []
  for (const name of ['one', 'two', 'three', 'four'])
    people.push(await lead(acme, { email: `${name}@x.example`, phone: `+493090182${people.length}` }))
  const [one, two, three, four] = people
  const optOut = { email_status: 'unsubscribed', call_status: 'do_not_call', processing_restricted: true }
  const put = ({ id }: Id, change: object) =>
    acme.admin.put(`${url}${id}/consent`, { ...change, basis: 'none', source: 'letter' })
  for (const person of [two, four]) await put(person, optOut)

  await merge(acme, one, [two])
  await acme.manager.delete(`${url}${one.id}`)
  const { merge_id } = (await merge(acme, three, [four])).body
  await undo(acme, merge_id)

  const newConsentOf = async (email: string, phone: string) => {
    const { email_status, call_status, processing_restricted } = await lead(acme, { email, phone })
    return { email_status, call_status, processing_restricted }
  }
  assert.deepEqual(await newConsentOf('one@x.example', '+4930901820'), optOut)
  const none = { email_status: 'unknown', call_status: 'allowed', processing_restricted: false }
  assert.deepEqual(await newConsentOf('three@x.example', '+4930901822'), none)
  assert.deepEqual(await newConsentOf('four@x.example', '+4930901823'), optOut)
})

test('an opt-out of the surviving email address itself remains when the merge is undone', async () => {
  const acme = await tenant()
  const [one, two] = [await lead(acme, { email: 'one@x.example' }), await lead(acme, { email: 'two@x.example' })]
  const complaint = { email_status: 'complained', basis: 'none', source: 'letter' }
  await acme.admin.put(`${url}${two.id}/consent`, complaint)
  const { merge_id } = (await merge(acme, one, [two])).body
  await acme.admin.put(`${url}${one.id}/consent`, complaint)

  await undo(acme, merge_id)

  assert.equal((await read(acme, one)).body.email_status, 'complained')
  assert.equal((await lead(acme, { email: 'one@x.example' })).email_status, 'complained')
})
