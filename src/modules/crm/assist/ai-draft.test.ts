import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { says, staysSilent } from '../../../platform/ai/model.stand-in.ts'
import { leadWith } from '../leads/leads.fixture.ts'
import { someone, startAssistApp } from './assist.fixture.ts'

const { tenant, giveModel, results, rowOf, mails, clock } = await startAssistApp()
const draft = (id: string) => `/api/leads/${id}/ai-draft`
const ann = { ...someone, email: 'ann@initech.example' }

test('crm-1-14 without a model a template is filled, the same each time, and nothing is sent', async () => {
  const acme = await tenant()
  const lead = await leadWith(acme, { ...ann, owner_id: acme.member.userId })
  const before = await rowOf(acme, lead.id)

  const { status, body } = await acme.member.post(draft(lead.id))
  const { body: again } = await acme.member.post(draft(lead.id), {})

  assert.equal(status, 200)
  const { draft_id, ...written } = body
  const { draft_id: nextId, ...rewritten } = again
  assert.deepEqual(rewritten, written)
  assert.notEqual(draft_id, nextId)
  assert.deepEqual([body.engine, body.fallback_reason, body.purpose], ['rules', 'not_configured', 'intro'])
  assert.equal(body.subject, 'Hello from us to Initech')
  assert.match(body.body_text, new RegExp(`^Hi Ann,\\n(.|\\n)*\\n${acme.member.name}$`))
  assert.deepEqual([body.warnings, body.sendable, body.not_sendable_reason], [[], true, null])
  assert.deepEqual(await rowOf(acme, lead.id), before)
  const [kept] = await results(acme)
  assert.deepEqual([kept.id, kept.kind, kept.result], [draft_id, 'draft', body])
  assert.ok((await acme.audit()).includes('lead.ai_drafted'))
  assert.deepEqual(await mails(ann.email), [])
})

test('what was written so far decides what a draft is for', async () => {
  const acme = await tenant()
  const lead = await leadWith(acme, ann)
  const purpose = async () => (await acme.member.post(draft(lead.id))).body.purpose
  const log = (activity: object) => acme.member.post(`/api/leads/${lead.id}/activities`, activity)

  const seen = [await purpose()]
  await log({ type: 'email' })
  seen.push(await purpose())
  for (const type of ['call', 'message', 'email']) await log({ type })
  seen.push(await purpose())
  clock.advance(60)
  await log({ type: 'email_opened' })
  seen.push(await purpose())
  await log({ type: 'email_replied' })
  seen.push(await purpose())

  assert.deepEqual(seen, ['intro', 'follow_up', 'break_up', 'break_up', 'follow_up'])
})

test('a model writes with gaps for names, which are filled here', async () => {
  const acme = await tenant()
  const said = {
    subject: 'For {{first_name}}',
    body_text: 'Hallo {{first_name}},\n\nGruß\n{{sender_name}}',
    grounded_on: ['company'],
  }
  const { received } = await giveModel(acme, says(said))
  const lead = await leadWith(acme, { ...ann, first_name: 'Canary', owner_id: acme.member.userId })
  const wish = {
    purpose: 're_engage',
    tone: 'direct',
    length: 'medium',
    language: 'de',
    instructions: 'Mention spring.',
  }

  const { body } = await acme.member.post(draft(lead.id), wish)

  assert.deepEqual([body.engine, body.model, body.purpose], ['model', 'llama-3', 're_engage'])
  assert.deepEqual([body.subject, body.body_text], ['For Canary', `Hallo Canary,\n\nGruß\n${acme.member.name}`])
  assert.deepEqual(body.grounded_on, ['company', 'first_name', 'owner'])
  assert.deepEqual(body.warnings, [])
  const [{ text } = assert.fail('Nothing was sent.')] = received()
  assert.doesNotMatch(text, /canary|ann@initech/i)
  assert.ok(!text.includes(acme.member.name))
  assert.match(text, /Mention spring/)
})

test('a model that leaves gaps, invents grounds, says more than it may, or nothing at all: a template is filled', async () => {
  const acme = await tenant()
  const good = { subject: 'Hello', body_text: 'Hello', grounded_on: [] }
  const lead = await leadWith(acme, ann)
  for (const [behaviour, reason] of [
    [says({ ...good, body_text: 'Dear [name] {{owner}}' }), 'invalid_output'],
    [says({ ...good, grounded_on: ['a_call_last_week'] }), 'invalid_output'],
    [says({ ...good, subject: 'Hello\nBcc: all@example.com' }), 'invalid_output'],
    [says({ ...good, sendable: true }), 'invalid_output'],
    [says('Here is your mail!'), 'invalid_output'],
    [staysSilent, 'timeout'],
  ] as const) {
    await giveModel(acme, behaviour)

    const { body } = await acme.member.post(draft(lead.id), { language: 'de', instructions: 'Rhyme.' })

    assert.deepEqual([body.engine, body.fallback_reason, body.subject], ['rules', reason, 'Hello from us to Initech'])
    assert.deepEqual(body.warnings, ['no_owner', 'english_only', 'instructions_not_followed'])
  }
})

test('who does not want mail still gets a draft, which says that it must not be sent', async () => {
  const acme = await tenant()
  for (const [columns, reason] of [
    [{ email_status: 'unsubscribed' }, 'opted_out'],
    [{ email_status: 'bounced' }, 'bounced'],
    [{ email: null }, 'no_email'],
  ] as const) {
    const lead = await leadWith(acme, ann, columns)
    const { status, body } = await acme.member.post(draft(lead.id))
    assert.deepEqual([status, body.sendable, body.not_sendable_reason], [200, false, reason])
  }
})

test('an objection that comes while the model writes counts', async () => {
  const acme = await tenant()
  const lead = await leadWith(acme, ann)
  await giveModel(acme, async (response, protocol) => {
    await acme.sql(`update crm.leads set email_status = 'unsubscribed' where id = $1`, [lead.id])
    says({ subject: 'Hello', body_text: 'See https://evil.example', grounded_on: [] })(response, protocol)
  })

  const { body } = await acme.member.post(draft(lead.id))

  assert.deepEqual([body.engine, body.sendable, body.not_sendable_reason], ['model', false, 'opted_out'])
  assert.deepEqual(body.warnings, ['no_owner', 'contains_link'])
})

test('bad wishes, restricted people, viewers and other workspaces are refused', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const lead = await leadWith(acme, ann)
  const quiet = await leadWith(acme, ann, { processing_restricted: true })

  for (const wish of [
    { purpose: 'spam' },
    { tone: 'rude' },
    { length: 'long' },
    { language: 'de_CH' },
    { language: '' },
    { instructions: 'x'.repeat(501) },
    { send: true },
  ])
    assert.equal((await acme.member.post(draft(lead.id), wish)).status, 422, JSON.stringify(wish))
  assert.equal((await acme.member.post(draft(quiet.id))).body.code, 'processing_restricted')
  assert.equal((await acme.viewer.post(draft(lead.id))).status, 403)
  for (const id of [lead.id, newId()]) assert.equal((await beta.admin.post(draft(id))).status, 404)
  assert.deepEqual([await results(acme), await results(beta)], [[], []])
})
