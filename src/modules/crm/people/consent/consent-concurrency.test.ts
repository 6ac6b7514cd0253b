import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { startTestApp, waitForBlockedSessions } from '#testing'
import { createContact } from '../contacts/create-contacts.service.ts'
import { createLead } from '../leads/create-leads.service.ts'
import { consentUrl, optIn, prepareOptOuts, unsubscribe } from './consent.fixture.ts'
import { hashSubjects } from './find-consent.service.ts'
import { mayContact } from './may-contact.service.ts'
import { recordOptOut } from './record-opt-out.service.ts'

const { tenant, db, services, owner } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const email = 'ann@x.example'
const linkOptOut = { email, channel: 'email', reason: 'unsubscribed', source: 'link' } as const
const postLead = (acme: Acme, fields: object = { email }) =>
  acme.member.post('/api/leads/', { last_name: 'Moss', ...fields })

type Response = Awaited<ReturnType<Acme['member']['get']>>

/** Sends a request again that waited too long for a lock, which happens on a busy machine. */
async function send(request: () => Promise<Response>): Promise<Response> {
  const response = await request()
  return response.status === 503 ? await send(request) : response
}

/** Runs `work` in a transaction that stays open until `commit` is called. */
async function openTransaction(acme: Acme, work: (tx: TenantTx) => Promise<unknown>) {
  const [started, canCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = inTenant(db, systemActor(acme.id), async (tx) => {
    await work(tx)
    started.resolve()
    await canCommit.promise
  })
  await Promise.race([started.promise, done])
  return async () => {
    canCommit.resolve()
    await done
  }
}

test('records created, changed and restored during an opt-out wait for it and are unsubscribed', async () => {
  const acme = await tenant()
  const [moved, deleted] = [(await postLead(acme, {})).body, (await postLead(acme)).body]
  const contact = (await acme.member.post('/api/contacts/', { last_name: 'Moss' })).body
  await acme.manager.delete(`/api/leads/${deleted.id}`)
  const commit = await openTransaction(acme, (tx) => recordOptOut(tx, services, linkOptOut))

  const requests = [
    () => postLead(acme),
    () => acme.member.patch(`/api/leads/${moved.id}`, { email, owner_id: acme.manager.userId, source: 'fair' }),
    () => acme.manager.post(`/api/leads/${deleted.id}/restore`),
    () => acme.member.patch(`/api/contacts/${contact.id}`, { email }),
  ].map(send)
  await waitForBlockedSessions(owner, requests.length, requests)
  await commit()

  for (const { body } of await Promise.all(requests)) assert.equal(body.email_status, 'unsubscribed')
})

test('an opt-out waits for records that are being created, and reaches them', async () => {
  const acme = await tenant()
  const existing = (await postLead(acme)).body
  const actor = systemActor(acme.id)
  const commitLead = await openTransaction(acme, (tx) => createLead(tx, actor, { email }, services))
  const commitContact = await openTransaction(acme, (tx) => createContact(tx, actor, { email }, services))

  const optingOut = prepareOptOuts(acme, { db, services })(linkOptOut)
  await waitForBlockedSessions(owner, 1, [optingOut])
  await Promise.all([commitLead(), commitContact()])
  await optingOut

  const { rows } = await acme.sql(
    `select email_status from crm.leads where tenant_id = $1
    union all select email_status from crm.contacts where tenant_id = $1`,
    [acme.id],
  )
  const statuses = rows.map(({ email_status }) => email_status)
  assert.deepEqual(statuses, ['unsubscribed', 'unsubscribed', 'unsubscribed'])
  assert.equal((await acme.member.get(`/api/leads/${existing.id}`)).body.version, 2)
})

test('a sender that asks during an opt-out waits for it', async () => {
  const acme = await tenant()
  const commit = await openTransaction(acme, (tx) => recordOptOut(tx, services, linkOptOut))

  const asking = inTenant(db, systemActor(acme.id), (tx) => mayContact(tx, services, [email], { channel: 'email' }))
  await waitForBlockedSessions(owner, 1, [asking])
  await commit()

  assert.deepEqual((await asking).get(email), { allowed: false, code: 'opted_out' })
})

test('concurrent changes of records with one address all succeed, and a complaint wins', async () => {
  const acme = await tenant()
  const leads: { id: string }[] = []
  for (let n = 0; n < 2; n++) leads.push((await postLead(acme)).body)
  const contact = (await acme.member.post('/api/contacts/', { email })).body

  const requests = [
    ...leads.map((lead) => () => acme.member.put(consentUrl('leads', lead), unsubscribe)),
    ...leads.map((lead) => () => acme.member.put(consentUrl('leads', lead), optIn)),
    () => acme.member.put(consentUrl('contacts', contact), { ...optIn, processing_restricted: true }),
    () => acme.member.patch(`/api/leads/${leads[1]!.id}`, { title: 'CEO' }),
  ]
  const responses = await Promise.all(requests.map(send))
  await prepareOptOuts(acme, { db, services })({ ...linkOptOut, reason: 'complained' })

  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  for (const { id } of leads) assert.equal((await acme.member.get(`/api/leads/${id}`)).body.email_status, 'complained')
})

test('concurrent first uses of a workspace create one key', async () => {
  const acme = await tenant()
  const hash = () => inTenant(db, systemActor(acme.id), (tx) => hashSubjects(tx, services, [email]))

  const hashes = await Promise.all([hash(), hash(), hash(), hash()])

  assert.equal(new Set(hashes.map((map) => map.get(email)!.toString('hex'))).size, 1)
})
