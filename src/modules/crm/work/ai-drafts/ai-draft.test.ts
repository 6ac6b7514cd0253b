import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { neverRespond, respondWith } from '../../../../platform/ai/model-server.stand-in.ts'
import { createLeadWith } from '../../people/leads/leads.fixture.ts'
import { exampleLead, startAssistApp } from './assist.fixture.ts'

const { tenant, configureModel, listResults, readLeadRow, mails, clock } = await startAssistApp()
const draftUrl = (id: string) => `/api/leads/${id}/ai-draft`
const ann = { ...exampleLead, email: 'ann@initech.example' }

test('crm-1-14 without a model the draft comes from a template, is deterministic, and is not sent', async () => {
  const acme = await tenant()
  const lead = await createLeadWith(acme, { ...ann, owner_id: acme.member.userId })
  const before = await readLeadRow(acme, lead.id)

  const { status, body } = await acme.member.post(draftUrl(lead.id))
  const { body: again } = await acme.member.post(draftUrl(lead.id), {})

  assert.equal(status, 200)
  const { draft_id, ...written } = body
  const { draft_id: nextId, ...rewritten } = again
  assert.deepEqual(rewritten, written)
  assert.notEqual(draft_id, nextId)
  assert.deepEqual([body.engine, body.fallback_reason, body.purpose], ['rules', 'not_configured', 'intro'])
  assert.equal(body.subject, 'Hello from us to Initech')
  assert.match(body.body_text, new RegExp(`^Hi Ann,\\n(.|\\n)*\\n${acme.member.name}$`))
  assert.deepEqual([body.warnings, body.sendable, body.not_sendable_reason], [[], true, null])
  assert.deepEqual(await readLeadRow(acme, lead.id), before)
  const [stored] = await listResults(acme)
  assert.deepEqual([stored.id, stored.kind, stored.result], [draft_id, 'draft', body])
  assert.ok((await acme.audit()).includes('lead.ai_drafted'))
  assert.deepEqual(await mails(ann.email), [])
})

test('the default purpose depends on the conversation so far', async () => {
  const acme = await tenant()
  const lead = await createLeadWith(acme, ann)
  const purpose = async () => (await acme.member.post(draftUrl(lead.id))).body.purpose
  const log = (activity: object) => acme.member.post(`/api/leads/${lead.id}/activities`, activity)

  const found = [await purpose()]
  await log({ type: 'email' })
  found.push(await purpose())
  for (const type of ['call', 'message', 'email']) await log({ type })
  found.push(await purpose())
  clock.advance(60)
  await log({ type: 'email_opened' })
  found.push(await purpose())
  await log({ type: 'email_replied' })
  found.push(await purpose())

  assert.deepEqual(found, ['intro', 'follow_up', 'break_up', 'break_up', 'follow_up'])
})

test('placeholders in model output are filled with names', async () => {
  const acme = await tenant()
  const output = {
    subject: 'For {{first_name}}',
    body_text: 'Hallo {{first_name}},\n\nGruß\n{{sender_name}}',
    grounded_on: ['company'],
  }
  const { received } = await configureModel(acme, respondWith(output))
  const lead = await createLeadWith(acme, { ...ann, first_name: 'Canary', owner_id: acme.member.userId })
  const request = {
    purpose: 're_engage',
    tone: 'direct',
    length: 'medium',
    language: 'de',
    instructions: 'Mention spring.',
  }

  const { body } = await acme.member.post(draftUrl(lead.id), request)

  assert.deepEqual([body.engine, body.model, body.purpose], ['model', 'llama-3', 're_engage'])
  assert.deepEqual([body.subject, body.body_text], ['For Canary', `Hallo Canary,\n\nGruß\n${acme.member.name}`])
  assert.deepEqual(body.grounded_on, ['company', 'first_name', 'owner'])
  assert.deepEqual(body.warnings, [])
  const [{ text } = assert.fail('Nothing was sent.')] = received()
  assert.doesNotMatch(text, /canary|ann@initech/i)
  assert.ok(!text.includes(acme.member.name))
  assert.match(text, /Mention spring/)
})

test('invalid model output falls back to a template', async () => {
  const acme = await tenant()
  const good = { subject: 'Hello', body_text: 'Hello', grounded_on: [] }
  const lead = await createLeadWith(acme, ann)
  for (const [behavior, reason] of [
    [respondWith({ ...good, body_text: 'Dear [name] {{owner}}' }), 'invalid_output'],
    [respondWith({ ...good, grounded_on: ['a_call_last_week'] }), 'invalid_output'],
    [respondWith({ ...good, subject: 'Hello\nBcc: all@example.com' }), 'invalid_output'],
    [respondWith({ ...good, sendable: true }), 'invalid_output'],
    [respondWith('Here is your mail!'), 'invalid_output'],
    [neverRespond, 'timeout'],
  ] as const) {
    await configureModel(acme, behavior)

    const { body } = await acme.member.post(draftUrl(lead.id), { language: 'de', instructions: 'Rhyme.' })

    assert.deepEqual([body.engine, body.fallback_reason, body.subject], ['rules', reason, 'Hello from us to Initech'])
    assert.deepEqual(body.warnings, ['no_owner', 'english_only', 'instructions_not_followed'])
  }
})

test('a lead without consent gets a draft that is not sendable', async () => {
  const acme = await tenant()
  for (const [columns, reason] of [
    [{ email_status: 'unsubscribed' }, 'opted_out'],
    [{ email_status: 'bounced' }, 'bounced'],
    [{ email: null }, 'no_email'],
  ] as const) {
    const lead = await createLeadWith(acme, ann, columns)
    const { status, body } = await acme.member.post(draftUrl(lead.id))
    assert.deepEqual([status, body.sendable, body.not_sendable_reason], [200, false, reason])
  }
})

test('an opt-out during generation makes the draft not sendable', async () => {
  const acme = await tenant()
  const lead = await createLeadWith(acme, ann)
  await configureModel(acme, async (response, protocol) => {
    await acme.sql(`update crm.leads set email_status = 'unsubscribed' where id = $1`, [lead.id])
    respondWith({ subject: 'Hello', body_text: 'See https://evil.example', grounded_on: [] })(response, protocol)
  })

  const { body } = await acme.member.post(draftUrl(lead.id))

  assert.deepEqual([body.engine, body.sendable, body.not_sendable_reason], ['model', false, 'opted_out'])
  assert.deepEqual(body.warnings, ['no_owner', 'contains_link'])
})

test('invalid requests, restricted leads, viewers and other workspaces are rejected', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const lead = await createLeadWith(acme, ann)
  const restricted = await createLeadWith(acme, ann, { processing_restricted: true })

  for (const request of [
    { purpose: 'spam' },
    { tone: 'rude' },
    { length: 'long' },
    { language: 'de_CH' },
    { language: '' },
    { instructions: 'x'.repeat(501) },
    { send: true },
  ])
    assert.equal((await acme.member.post(draftUrl(lead.id), request)).status, 422, JSON.stringify(request))
  assert.equal((await acme.member.post(draftUrl(restricted.id))).body.code, 'processing_restricted')
  assert.equal((await acme.viewer.post(draftUrl(lead.id))).status, 403)
  for (const id of [lead.id, newId()]) assert.equal((await beta.admin.post(draftUrl(id))).status, 404)
  assert.deepEqual([await listResults(acme), await listResults(beta)], [[], []])
})
