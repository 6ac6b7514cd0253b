import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { startTestApp } from '#testing'
import { consentUrl, optIn, prepareOptOuts, unsubscribe } from './consent.fixture.ts'
import { mayContact } from './may-contact.service.ts'
import { projectConsentBatch } from './project-consent.jobs.ts'

const { tenant, db, services } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const email = 'shared@x.example'
const linkOptOut = { email, channel: 'email', reason: 'unsubscribed', source: 'link' } as const
const inAcme = <T>({ id }: Acme, work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(id), work)
const ask = async (acme: Acme) =>
  (await inAcme(acme, (tx) => mayContact(tx, services, [email], { channel: 'email' }))).get(email)

/** More records than a request changes. */
async function createShared(acme: Acme, leads: number, contacts = 0): Promise<void> {
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, email, source, search_text, created_on)
     select $1, gen_random_uuid(), 'Moss', $2, 'web', '', '2026-01-01' from generate_series(1, $3::int)`,
    [acme.id, email, leads],
  )
  await acme.sql(
    `insert into crm.contacts (tenant_id, id, last_name, email, source, search_text, deleted_at)
     select $1, gen_random_uuid(), 'Moss', $2, 'web', '', case when n > 1 then now() end from generate_series(1, $3::int) n`,
    [acme.id, email, contacts],
  )
}

async function countStatuses(acme: Acme): Promise<Record<string, number>> {
  const { rows } = await acme.sql(
    `select email_status, count(*)::int from (
       select email_status from crm.leads where tenant_id = $1 and deleted_at is null
       union all select email_status from crm.contacts where tenant_id = $1 and deleted_at is null) record
     group by email_status`,
    [acme.id],
  )
  return Object.fromEntries(rows.map(({ email_status, count }) => [email_status, count]))
}

async function runProjections(acme: Acme): Promise<void> {
  while (await inAcme(acme, (tx) => projectConsentBatch(tx, services)));
}

/** Rows that a transaction has written in the tables of records and their history. */
async function countWrites(acme: Acme, work: (tx: TenantTx) => Promise<unknown>): Promise<number> {
  const count = async () => {
    const { rows } = await acme.sql(
      `select (select count(*) from platform.audit_log where tenant_id = $1)
         + (select count(*) from platform.outbox_events where tenant_id = $1)
         + (select count(*) from crm.activities where tenant_id = $1)
         + (select count(*) from crm.consent_events where tenant_id = $1)
         + (select coalesce(sum(version), 0) from crm.leads where tenant_id = $1) as written`,
      [acme.id],
    )
    return Number(rows[0].written)
  }
  const before = await count()
  await inAcme(acme, work)
  return (await count()) - before
}

test('an opt-out of an address with many records writes few rows, is in force at once, and a job copies it', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await createShared(acme, 1_200, 3)
  await createShared(other, 1)
  const optOut = (workspace: Acme) => prepareOptOuts(workspace, { db, services })

  const written = await countWrites(acme, () => optOut(acme)(linkOptOut))
  const ordinary = await countWrites(other, () => optOut(other)(linkOptOut))

  assert.ok(written <= ordinary, `${written} rows instead of ${ordinary}`)
  assert.deepEqual(await ask(acme), { allowed: false, code: 'opted_out' })
  assert.deepEqual(await countStatuses(acme), { unknown: 1_201 })
  const { body: later } = await acme.member.post('/api/leads/', { last_name: 'Moss', email })
  assert.equal(later.email_status, 'unsubscribed')
  await runProjections(acme)
  assert.deepEqual(await countStatuses(acme), { unsubscribed: 1_202 })
  const { rows } = await acme.sql('select * from crm.consent_projections where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [])
  assert.deepEqual(await countStatuses(other), { unsubscribed: 1 })
})

test('records that wait for the job neither hide an opt-out nor survive an opt-in', async () => {
  const acme = await tenant()
  await createShared(acme, 150)
  const { rows } = await acme.sql('select id from crm.leads where tenant_id = $1 order by id', [acme.id])
  const [first, second, third] = rows
  await prepareOptOuts(acme, { db, services })({ ...linkOptOut, reason: 'complained' })

  assert.equal((await acme.member.get(consentUrl('leads', first))).body.email.status, 'complained')
  assert.equal((await acme.member.put(consentUrl('leads', first), optIn)).status, 403)
  await acme.member.patch(`/api/leads/${second.id}`, { email: 'moved@x.example' })
  const { body: separate } = await acme.member.post('/api/leads/', { email: 'separate@x.example' })
  await acme.manager.post(`/api/leads/${separate.id}/merge`, { duplicate_ids: [third.id] })
  for (const address of ['moved@x.example', 'separate@x.example'])
    assert.equal((await acme.member.post('/api/leads/', { email: address })).body.email_status, 'complained', address)

  assert.equal((await acme.admin.put(consentUrl('leads', first), optIn)).body.email.status, 'subscribed')
  await runProjections(acme)
  assert.deepEqual(await countStatuses(acme), { subscribed: 148, complained: 4 })
  assert.deepEqual(await ask(acme), { allowed: true })
  await acme.member.put(consentUrl('leads', first), unsubscribe)
  assert.deepEqual(await ask(acme), { allowed: false, code: 'opted_out' })
})

/** 20,000 for `npm run large-opt-out`, which also checks the time. */
const sharedRecords = Number(process.env.SHARED_RECORDS ?? 300)

test('an opt-out of an address with many records takes about as long as one of an ordinary address', async (t) => {
  const acme = await tenant()
  await createShared(acme, sharedRecords)
  await acme.sql('analyze crm.leads')
  const newLead = async (address: string) => (await acme.member.post('/api/leads/', { email: address })).body
  const optOutMs = async ({ id }: { id: string }) => {
    const start = performance.now()
    const { status } = await acme.member.put(consentUrl('leads', { id }), unsubscribe)
    assert.equal(status, 200)
    return performance.now() - start
  }

  const ordinary: number[] = []
  for (let n = 0; n < 5; n++) ordinary.push(await optOutMs(await newLead(`ordinary${n}@x.example`)))
  const many = await optOutMs(await newLead(email))

  const usual = ordinary.sort((one, other) => one - other)[2]!
  t.diagnostic(`ordinary ${Math.round(usual)} ms, with ${sharedRecords} records ${Math.round(many)} ms`)
  assert.ok(!process.env.SHARED_RECORDS || many - usual < 200, `${usual} and ${many} ms`)
  assert.deepEqual(await ask(acme), { allowed: false, code: 'opted_out' })
})
