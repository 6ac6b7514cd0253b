import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { startTestApp } from '#testing'
import { consentUrl, optIn, prepareOptOuts, prepareSuppressions, unsubscribe } from './consent.fixture.ts'
import { redactConsentEvents } from './consent-events.queries.ts'
import { hashSubjects } from './find-consent.service.ts'
import { type ContactPermission, findContactPermissions, mayContact } from './may-contact.service.ts'

const { tenant, db, services, owner } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const inAcme = <T>(acme: Acme, work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(acme.id), work)
const createLead = async (acme: Acme, fields: object = {}) =>
  (await acme.member.post('/api/leads/', { last_name: 'Moss', ...fields })).body
const statusOf = async (acme: Acme, path: string) => (await acme.member.get(path)).body.email_status
const codeOf = (permission: ContactPermission | undefined) =>
  permission?.allowed === false ? permission.code : permission?.allowed
const ask = async (acme: Acme, emails: string[], channel: 'email' | 'survey' = 'email') => {
  const permissions = await inAcme(acme, (tx) => mayContact(tx, services, emails, { channel }))
  const found = await inAcme(acme, (tx) => findContactPermissions(tx, services, emails, { channel }))
  assert.deepEqual(found, permissions)
  return emails.map((email) => codeOf(permissions.get(email)))
}

test('an opt-out changes the lead and the contact with the address, and a lead created later has it', async () => {
  const acme = await tenant()
  const optOut = prepareOptOuts(acme, { db, services })
  const lead = await createLead(acme, { email: 'ann@x.example' })
  const contact = (await acme.member.post('/api/contacts/', { email: 'Ann@x.example' })).body

  await optOut({ email: 'ANN@x.example', channel: 'email', reason: 'unsubscribed', source: 'link' })
  await optOut({ email: 'ann@x.example', channel: 'email', reason: 'unsubscribed', source: 'link' })

  assert.equal(await statusOf(acme, `/api/leads/${lead.id}`), 'unsubscribed')
  assert.equal(await statusOf(acme, `/api/contacts/${contact.id}`), 'unsubscribed')
  const later = await createLead(acme, { email: 'aNN@x.example' })
  assert.equal(later.email_status, 'unsubscribed')
  const { history } = (await acme.member.get(consentUrl('leads', later))).body
  assert.partialDeepStrictEqual(history, [{ from: 'unknown', to: 'unsubscribed', source: 'link', actor_user_id: null }])
  const { rows } = await acme.sql(
    `select count(*)::int from platform.outbox_events where tenant_id = $1 and type = 'person.opted_out'`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ count: 1 }])
})

test('an opt-in belongs to the address: records created, changed, restored and converted later have it', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { email: 'ann@x.example' })
  const deleted = await createLead(acme, { email: 'ann@x.example' })
  const changed = await createLead(acme, { email: 'old@x.example' })
  await acme.member.put(consentUrl('leads', lead), unsubscribe)
  await acme.manager.delete(`/api/leads/${deleted.id}`)
  await acme.member.put(consentUrl('leads', lead), optIn)

  const created = await createLead(acme, { email: 'ann@x.example' })
  const moved = (await acme.member.patch(`/api/leads/${changed.id}`, { email: 'ann@x.example' })).body
  const restored = (await acme.manager.post(`/api/leads/${deleted.id}/restore`)).body
  const converted = (await acme.member.post(`/api/leads/${created.id}/convert`)).body

  for (const { email_status } of [created, moved, restored, converted.contact]) assert.equal(email_status, 'subscribed')
})

test('crm-10-4 a merge of a subscribed and an unsubscribed lead is unsubscribed', async () => {
  const acme = await tenant()
  const [subscribed, unsubscribed] = [
    await createLead(acme, { email: 'ann@x.example' }),
    await createLead(acme, { email: 'ann@y.example' }),
  ]
  await acme.member.put(consentUrl('leads', subscribed), optIn)
  await acme.member.put(consentUrl('leads', unsubscribed), unsubscribe)

  const { body } = await acme.manager.post(`/api/leads/${subscribed.id}/merge`, { duplicate_ids: [unsubscribed.id] })

  assert.deepEqual([body.lead.email, body.lead.email_status], ['ann@x.example', 'unsubscribed'])
  assert.deepEqual(await ask(acme, ['ann@x.example', 'ann@y.example']), ['opted_out', 'opted_out'])
  await acme.manager.post(`/api/leads/merges/${body.merge_id}/undo`)
  assert.equal(await statusOf(acme, `/api/leads/${subscribed.id}`), 'subscribed')
  assert.equal(await statusOf(acme, `/api/leads/${unsubscribed.id}`), 'unsubscribed')
})

test('undoing a merge keeps opt-outs and opt-ins that the addresses got since', async () => {
  const acme = await tenant()
  const [one, two] = [
    await createLead(acme, { email: 'one@x.example' }),
    await createLead(acme, { email: 'two@x.example' }),
  ]
  await acme.member.put(consentUrl('leads', two), unsubscribe)
  const { merge_id } = (await acme.manager.post(`/api/leads/${one.id}/merge`, { duplicate_ids: [two.id] })).body
  const optOut = prepareOptOuts(acme, { db, services })

  await optOut({ email: 'one@x.example', channel: 'email', reason: 'unsubscribed', source: 'link' })
  const third = await createLead(acme, { email: 'two@x.example' })
  await acme.member.put(consentUrl('leads', third), optIn)
  await acme.manager.post(`/api/leads/merges/${merge_id}/undo`)

  assert.equal(await statusOf(acme, `/api/leads/${one.id}`), 'unsubscribed')
  assert.equal(await statusOf(acme, `/api/leads/${two.id}`), 'subscribed')
})

test('a record with a stricter status than its address records the opt-out for the address too', async () => {
  const acme = await tenant()
  const one = await createLead(acme, { email: 'one@x.example' })
  await acme.sql(`update crm.leads set email_status = 'unsubscribed' where id = $1`, [one.id])
  assert.equal((await createLead(acme, { email: 'one@x.example' })).email_status, 'unknown')

  await acme.member.put(consentUrl('leads', one), unsubscribe)

  assert.equal((await createLead(acme, { email: 'one@x.example' })).email_status, 'unsubscribed')
})

test('a weaker reason does not replace a stricter one', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { email: 'ann@x.example' })
  const optOut = prepareOptOuts(acme, { db, services })
  const statuses = []

  for (const reason of ['bounced', 'unsubscribed', 'bounced', 'complained', 'erased'] as const) {
    await optOut({ email: 'ann@x.example', channel: 'email', reason, source: 'test' })
    statuses.push(await statusOf(acme, `/api/leads/${lead.id}`))
  }

  assert.deepEqual(statuses, ['bounced', 'unsubscribed', 'unsubscribed', 'complained', 'complained'])
  const { rows } = await acme.sql('select channel, reason from crm.suppressions where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [{ channel: 'email', reason: 'complained' }])
})

test('a suppression of an erased person makes a new lead unsubscribed, until the person opts in', async () => {
  const acme = await tenant()
  await prepareSuppressions(acme, { db, services })('Ann@x.example', 'email', 'erased')

  const lead = await createLead(acme, { email: 'ann@x.example' })

  assert.equal(lead.email_status, 'unsubscribed')
  assert.equal((await acme.member.put(consentUrl('leads', lead), optIn)).body.email.status, 'subscribed')
  assert.equal((await createLead(acme, { email: 'ann@x.example' })).email_status, 'subscribed')
})

test('crm-10-10 in a workspace that requires an opt-in, an unknown address may not be contacted', async () => {
  const acme = await tenant()
  const emails = ['unknown@x.example', 'In@x.example', 'out@x.example', 'stranger@x.example']
  for (const email of emails.slice(0, 3)) {
    const lead = await createLead(acme, { email })
    if (email.startsWith('In')) await acme.member.put(consentUrl('leads', lead), optIn)
    if (email.startsWith('out')) await acme.member.put(consentUrl('leads', lead), unsubscribe)
  }

  assert.deepEqual(await ask(acme, emails), [true, true, 'opted_out', true])
  await acme.manager.put('/api/leads/settings', { consent: { mode: 'opt_in' } })

  assert.deepEqual(await ask(acme, emails), ['not_opted_in', true, 'opted_out', 'not_opted_in'])
  assert.deepEqual(await ask(acme, emails, 'survey'), ['not_opted_in', true, 'opted_out', 'not_opted_in'])
})

test('surveys have their own opt-out, and bounces and restrictions stop every message', async () => {
  const acme = await tenant()
  const optOut = prepareOptOuts(acme, { db, services })
  const emails = ['survey@x.example', 'bounced@x.example', 'complained@x.example', 'restricted@x.example']
  await optOut({ email: emails[0]!, channel: 'survey', reason: 'unsubscribed', source: 'link' })
  await optOut({ email: emails[1]!, channel: 'email', reason: 'bounced', source: 'mail server' })
  await optOut({ email: emails[2]!, channel: 'email', reason: 'complained', source: 'feedback loop' })
  const lead = await createLead(acme, { email: emails[3]! })
  await acme.member.put(consentUrl('leads', lead), { processing_restricted: true, basis: 'none', source: 'letter' })

  assert.equal((await createLead(acme, { email: emails[0]! })).email_status, 'unknown')
  assert.deepEqual(await ask(acme, emails), [true, 'bounced', 'opted_out', 'processing_restricted'])
  assert.deepEqual(await ask(acme, emails, 'survey'), ['opted_out', 'bounced', 'opted_out', 'processing_restricted'])
  await acme.manager.delete(`/api/leads/${lead.id}`)
  assert.deepEqual(await ask(acme, [emails[3]!]), ['processing_restricted'])
})

test('the application role cannot change or delete the history, but it can redact what users wrote', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { email: 'ann@x.example' })
  await acme.member.put(consentUrl('leads', lead), { ...optIn, evidence: 'Ann Moss signed.' })

  for (const text of ["update crm.consent_events set evidence = ''", 'delete from crm.consent_events'])
    await assert.rejects(owner.query(`set role app; ${text}`), { code: '42501' })
  const hashes = await inAcme(acme, (tx) => hashSubjects(tx, services, ['ann@x.example']))
  const redacted = await inAcme(acme, (tx) => redactConsentEvents(tx, [...hashes.values()], []))

  assert.equal(redacted, 1)
  assert.partialDeepStrictEqual((await acme.member.get(consentUrl('leads', lead))).body.history, [
    { to: 'subscribed', evidence: null, source: 'erased' },
  ])
})
