import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { consentUrl, optIn, prepareOptOuts, unsubscribe } from './consent.fixture.ts'

const { tenant, db, services, clock } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Client = Acme['member']

const createLead = async (acme: Acme, fields: object = {}) =>
  (await acme.member.post('/api/leads/', { last_name: 'Moss', ...fields })).body
const createContact = async (acme: Acme, fields: object = {}) =>
  (await acme.member.post('/api/contacts/', { last_name: 'Moss', ...fields })).body
const consentOf = async (client: Client, lead: { id: string }) => (await client.get(consentUrl('leads', lead))).body
const put = (client: Client, lead: { id: string }, body: object) => client.put(consentUrl('leads', lead), body)
const problemsOf = ({ body }: { body: { errors?: { path: string; code: string }[] } }) =>
  body.errors?.map(({ path, code }) => `${path} ${code}`)

test('crm-10-3 subscribing after an opt-out requires evidence, and the history has both changes', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { email: 'Ann@x.example' })
  assert.equal((await put(acme.member, lead, unsubscribe)).status, 200)

  const withoutEvidence = await put(acme.member, lead, { ...optIn, evidence: undefined })
  const withEmptyEvidence = await put(acme.member, lead, { ...optIn, evidence: '' })
  const withoutConsent = await put(acme.member, lead, { ...optIn, basis: 'legitimate_interest' })
  const unchanged = await consentOf(acme.member, lead)
  const accepted = await put(acme.member, lead, optIn)

  for (const { status } of [withoutEvidence, withEmptyEvidence, withoutConsent]) assert.equal(status, 422)
  assert.deepEqual(problemsOf(withoutEvidence), ['/evidence required'])
  assert.deepEqual(problemsOf(withoutConsent), ['/basis consent_required'])
  assert.equal(unchanged.email.status, 'unsubscribed')
  assert.equal(accepted.status, 200)
  assert.partialDeepStrictEqual(accepted.body.email, { status: 'subscribed', basis: 'consent', source: 'form' })
  assert.partialDeepStrictEqual(accepted.body.history, [
    { channel: 'email', from: 'unsubscribed', to: 'subscribed', evidence: 'Form of 12 May', basis: 'consent' },
    { channel: 'email', from: 'unknown', to: 'unsubscribed', evidence: null, source: 'phone call' },
  ])
  assert.equal(accepted.body.history[0].actor_user_id, acme.member.userId)
  assert.equal((await acme.member.get(`/api/leads/${lead.id}`)).body.email_status, 'subscribed')
})

test('a change reaches all leads and contacts with the address, with version, audit, timeline, events and score', async () => {
  const acme = await tenant()
  const [one, two] = [
    await createLead(acme, { email: 'ann@x.example' }),
    await createLead(acme, { email: 'ANN@x.example', title: 'CEO' }),
  ]
  const contact = await createContact(acme, { email: 'ann@X.example' })
  const other = await createLead(acme, { email: 'ben@x.example' })

  const { status } = await acme.member.put(consentUrl('contacts', contact), unsubscribe)

  assert.equal(status, 200)
  for (const lead of [one, two]) {
    const { body } = await acme.member.get(`/api/leads/${lead.id}`)
    assert.deepEqual([body.email_status, body.version], ['unsubscribed', lead.version + 1])
    assert.deepEqual(body.score_reasons.at(-1).rule_key, 'unsubscribed')
    const timeline = (await acme.member.get(`/api/leads/${lead.id}/activities`)).body.items
    assert.deepEqual(timeline[0].meta.changes, [{ field: 'email_status', from: 'unknown', to: 'unsubscribed' }])
  }
  assert.equal((await acme.member.get(`/api/contacts/${contact.id}`)).body.email_status, 'unsubscribed')
  assert.equal((await acme.member.get(`/api/leads/${other.id}`)).body.email_status, 'unknown')
  const events = await acme.sql(
    `select type, subject_id, data from platform.outbox_events where tenant_id = $1 and type in
      ('lead.updated', 'contact.updated', 'person.opted_out', 'person.opted_in') order by type`,
    [acme.id],
  )
  const updates = events.rows.filter(({ type }) => type !== 'person.opted_out')
  assert.deepEqual(
    updates.map(({ subject_id, data }) => [subject_id, data.changed]).sort(),
    [contact, one, two].map(({ id }) => [id, ['email_status']]).sort(),
  )
  const [optedOut, ...others] = events.rows.filter(({ type }) => type.startsWith('person.'))
  assert.deepEqual(others, [])
  assert.match(optedOut.subject_id, /^[0-9a-f]{64}$/)
  assert.deepEqual(
    { ...optedOut.data, lead_ids: optedOut.data.lead_ids.sort() },
    { channel: 'email', status: 'unsubscribed', lead_ids: [one.id, two.id].sort(), contact_ids: [contact.id] },
  )
  const audit = await acme.sql(
    `select action, change ->> 'after' as source from platform.audit_log, jsonb_array_elements(changes) as change
     where tenant_id = $1 and action like '%.consent_changed' and change ->> 'field' = 'consent_source' order by 1`,
    [acme.id],
  )
  assert.deepEqual(
    audit.rows.map(({ action, source }) => [action, source]),
    ['contact', 'lead', 'lead'].map((kind) => [`${kind}.consent_changed`, 'phone call']),
  )
})

test('a change that changes nothing writes nothing', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { email: 'ann@x.example' })
  await put(acme.member, lead, unsubscribe)
  const before = await acme.member.get(`/api/leads/${lead.id}`)

  const again = await put(acme.member, lead, unsubscribe)

  assert.deepEqual([again.status, again.body.history.length], [200, 1])
  assert.equal((await acme.member.get(`/api/leads/${lead.id}`)).body.version, before.body.version)
})

test('only managers reset a bounce, only admins subscribe after a complaint, and no status becomes unknown', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { email: 'ann@x.example' })
  const optOut = prepareOptOuts(acme, { db, services })
  const reset = { email_status: 'unknown', basis: 'none', source: 'typo' }
  const tryAll = async (body: object) => {
    const statuses = []
    for (const client of [acme.viewer, acme.member, acme.manager, acme.admin])
      statuses.push((await put(client, lead, body)).status)
    return statuses
  }

  await optOut({ email: 'ann@x.example', channel: 'email', reason: 'bounced', source: 'mail server' })
  assert.deepEqual(await tryAll(reset), [403, 403, 200, 200])
  await put(acme.member, lead, { ...optIn, evidence: undefined })
  assert.deepEqual(await tryAll(reset), [403, 409, 409, 409])
  await optOut({ email: 'ann@x.example', channel: 'email', reason: 'complained', source: 'feedback loop' })
  assert.deepEqual(await tryAll(reset), [403, 409, 409, 409])
  assert.equal((await put(acme.admin, lead, { ...optIn, evidence: undefined })).status, 422)
  assert.deepEqual(await tryAll(optIn), [403, 403, 403, 200])
  const { history } = await consentOf(acme.viewer, lead)
  assert.deepEqual(
    history.map(({ to }: { to: string }) => to),
    ['subscribed', 'complained', 'subscribed', 'unknown', 'bounced'],
  )
})

test('a phone number can be called again only with evidence', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { phone: '+4930901820' })
  const contact = await createContact(acme, { phone: '030 901820', country: 'DE' })
  const doNotCall = { call_status: 'do_not_call', basis: 'none', source: 'call' }
  const callAgain = { call_status: 'allowed', basis: 'consent', source: 'call' }

  const refused = (await put(acme.member, lead, doNotCall)).body
  const viaContact = (await acme.member.get(consentUrl('contacts', contact))).body
  const later = await createLead(acme, { phone: '+49 30 901820' })

  assert.partialDeepStrictEqual(refused.phone, { status: 'do_not_call', basis: 'none', source: 'call' })
  assert.deepEqual([viaContact.phone.status, viaContact.history.length], ['do_not_call', 1])
  assert.equal(later.call_status, 'do_not_call')
  assert.equal((await put(acme.member, lead, callAgain)).status, 422)
  assert.equal((await put(acme.member, lead, { ...callAgain, evidence: 'Email of 3 June' })).status, 200)
  assert.equal((await acme.member.get(consentUrl('contacts', contact))).body.phone.status, 'allowed')
})

test('a restriction of processing follows the email address, or stays with a record without one', async () => {
  const acme = await tenant()
  const restrict = { processing_restricted: true, basis: 'none', source: 'letter' }
  const [lead, unnamed, namesake] = [
    await createLead(acme, { email: 'ann@x.example' }),
    await createLead(acme, { phone: '+4930901820' }),
    await createLead(acme, { phone: '+4930901820' }),
  ]
  const contact = await createContact(acme, { email: 'ann@x.example' })

  const restricted = (await put(acme.member, lead, restrict)).body
  const alone = (await put(acme.member, unnamed, { ...restrict, call_status: 'do_not_call' })).body
  const later = await createLead(acme, { email: 'ann@x.example' })

  assert.deepEqual([restricted.processing_restricted, later.processing_restricted], [true, true])
  assert.equal((await acme.member.get(`/api/contacts/${contact.id}`)).body.processing_restricted, true)
  assert.deepEqual(alone.history.map(({ channel, to }: { channel: string; to: string }) => `${channel} ${to}`).sort(), [
    'phone do_not_call',
    'processing restricted',
  ])
  assert.partialDeepStrictEqual((await acme.member.get(`/api/leads/${namesake.id}`)).body, {
    processing_restricted: false,
    call_status: 'do_not_call',
  })
  await put(acme.member, lead, { ...restrict, processing_restricted: false })
  assert.equal((await acme.member.get(`/api/contacts/${contact.id}`)).body.processing_restricted, false)
})

test('invalid input is rejected, and unknown, deleted and merged records are not found', async () => {
  const acme = await tenant()
  const [lead, merged, nameless] = [
    await createLead(acme, { email: 'ann@x.example' }),
    await createLead(acme),
    await createLead(acme),
  ]
  await acme.manager.post(`/api/leads/${lead.id}/merge`, { duplicate_ids: [merged.id] })
  const proof = { basis: 'none', source: 'call' }
  const inFuture = daysLater(clock.now(), 1).toISOString()

  for (const [target, body, problem] of [
    [lead, proof, ' required'],
    [lead, { ...unsubscribe, occurred_at: inFuture }, '/occurred_at in_future'],
    [nameless, unsubscribe, '/email_status no_email'],
    [nameless, { ...proof, call_status: 'do_not_call' }, '/call_status no_phone'],
    [lead, { email_status: 'unsubscribed', source: 'call' }, '/basis required'],
    [lead, { email_status: 'unsubscribed', basis: 'none' }, '/source required'],
    [lead, { ...unsubscribe, email_status: 'erased' }, '/email_status enum'],
  ] as const) {
    const response = await put(acme.member, target, body)
    assert.deepEqual([response.status, problemsOf(response)], [422, [problem]])
  }
  const gone = await put(acme.member, merged, unsubscribe)
  assert.deepEqual([gone.status, gone.body.merged_into_id], [404, lead.id])
  assert.equal((await put(acme.member, { id: newId() }, unsubscribe)).status, 404)
  assert.equal((await acme.member.get(consentUrl('contacts', lead))).status, 404)
})

test('crm-10-9 the same email address in another workspace is not affected', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const address = { email: 'ann@x.example', phone: '+4930901820' }
  const [own, foreign] = [await createLead(acme, address), await createLead(beta, address)]
  const foreignContact = await createContact(beta, address)

  await put(acme.member, own, { ...unsubscribe, call_status: 'do_not_call', processing_restricted: true })
  await prepareOptOuts(acme, { db, services })({
    email: 'ann@x.example',
    channel: 'email',
    reason: 'complained',
    source: 'feedback loop',
  })

  const untouched = { email_status: 'unknown', call_status: 'allowed', processing_restricted: false }
  for (const url of [`/api/leads/${foreign.id}`, `/api/contacts/${foreignContact.id}`])
    assert.partialDeepStrictEqual((await beta.member.get(url)).body, { ...untouched, version: 1 })
  assert.partialDeepStrictEqual(await createLead(beta, address), untouched)
  assert.deepEqual((await consentOf(beta.member, foreign)).history, [])
  assert.equal((await put(beta.member, own, unsubscribe)).status, 404)
  assert.equal((await beta.member.get(consentUrl('leads', own))).status, 404)
})

test('the history lists the 50 newest changes', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { email: 'ann@x.example' })
  await put(acme.member, lead, unsubscribe)
  await acme.sql(
    `insert into crm.consent_events (tenant_id, id, subject_hash, channel, from_status, to_status, basis, source, at)
    select tenant_id, gen_random_uuid(), subject_hash, channel, from_status, to_status, basis, 'call ' || n, at
    from crm.consent_events, generate_series(1, 60) n where tenant_id = $1 order by n`,
    [acme.id],
  )
  await put(acme.member, lead, optIn)

  const { history } = await consentOf(acme.member, lead)

  assert.deepEqual([history.length, history[0].source, history[49].source], [50, 'form', 'call 12'])
})
