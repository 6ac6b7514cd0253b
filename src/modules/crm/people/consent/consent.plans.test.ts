// Query plans of consent, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listSuppressionRows } from '../suppressions/suppressions.queries.ts'
import { listConsentHistory, listLatestEvents } from './consent-events.queries.ts'
import { findPersonIds, listBlockedRecords } from './person-records.queries.ts'
import { listSuppressionsOf } from './suppressions.queries.ts'

const { owner, database } = await startPlanDb()
const acmeId = newId()
const insertPersons = (id: string) => `
    insert into crm.leads (tenant_id, id, last_name, email, phone_e164, source, search_text, created_on)
      select '${id}', gen_random_uuid(), 'Moss', n || '@x.example', '+4930' || n, 'web', '', '2026-01-01' from generate_series(1, 4000) n;
    insert into crm.contacts (tenant_id, id, last_name, email, phone_e164, source, search_text)
      select '${id}', gen_random_uuid(), 'Moss', n || '@x.example', '+4930' || n, 'web', '' from generate_series(1, 4000) n;
    insert into crm.suppressions (tenant_id, subject_hash, channel, reason, at, source)
      select '${id}', sha256(n::text::bytea), (array['email', 'phone'])[1 + (n % 100 = 0)::integer], 'bounced', now() + n * interval '1 minute', 'test' from generate_series(1, 4000) n;
    insert into crm.consent_events (tenant_id, id, subject_hash, channel, from_status, to_status, basis, source, at)
      select '${id}', gen_random_uuid(), sha256((n % 200)::text::bytea), 'email', 'unknown', 'bounced', 'none', 'test', now()
      from generate_series(1, 4000) n`
await loadRows(owner, async (client) => {
  for (const id of [acmeId, newId()]) await client.query(insertPersons(id))
})
const { rows } = await owner.query('select sha256(n::text::bytea) as hash from generate_series(1, 100) n')
const hashes = rows.map(({ hash }) => hash as Buffer)
const subjectChannels = hashes.map((subject_hash) => ({ subject_hash, channel: 'email' as const }))
const emails = Array.from({ length: 100 }, (_, n) => `${n + 1}@x.example`)
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)

test('the consent of many addresses is found with index scans', async () => {
  const statements: [indexes: RegExp[], work: (tx: TenantTx) => Promise<unknown>][] = [
    [[/suppressions_pkey/], (tx) => listSuppressionsOf(tx, hashes)],
    [[/Limit.*\n.*consent_events_by_subject/], (tx) => listLatestEvents(tx, subjectChannels)],
    [
      [/consent_events_by_subject/, /consent_events_by_record/],
      (tx) => listConsentHistory(tx, hashes.slice(0, 2), acmeId, 50),
    ],
    [[/leads_by_email/, /contacts_(by_email|email_unique)/], (tx) => listBlockedRecords(tx, emails)],
    [
      [/leads_by_email/, /leads_by_phone/, /contacts_(by_email|email_unique)/, /contacts_by_phone/],
      (tx) => findPersonIds(tx, { emails: emails.slice(0, 1), phones: ['+49301'] }, 101),
    ],
  ]
  for (const [indexes, work] of statements) {
    const plan = await planOf(work)
    for (const index of indexes) assert.match(plan, index)
    assert.doesNotMatch(plan, /Seq Scan/)
  }
})

test('the suppression list is an index scan, also of one channel, of one address and of a later page', async () => {
  const page = { limit: 50, offset: 0, count: 'none' as const }
  const cursor = Buffer.from(JSON.stringify([new Date().toISOString(), newId()])).toString('base64url')
  const lists: [index: RegExp, filter: Parameters<typeof listSuppressionRows>[1]][] = [
    [/Limit.*\n.*suppressions_by_time/, page],
    [/Limit.*\n.*suppressions_by_time/, { ...page, cursor }],
    [/Limit.*\n.*suppressions_by_channel/, { ...page, channel: 'phone' }],
    [/Limit.*\n.*suppressions_by_channel/, { ...page, channel: 'phone', cursor }],
    [/suppressions_pkey/, { ...page, subjectHash: hashes[0] }],
  ]
  for (const [index, filter] of lists) {
    const plan = await planOf((tx) => listSuppressionRows(tx, filter))
    assert.match(plan, index)
    assert.doesNotMatch(plan, /Seq Scan/)
  }
})
