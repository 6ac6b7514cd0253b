// Query plans of the dispatcher as the application role, with the rows that were read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import * as queries from './email-messages.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, smallId] = [newId(), newId()]
await loadRows(owner, async (client) => {
  await addEmails(client, acmeId, 'waiting', 50_000)
  await addEmails(client, acmeId, 'sent', 5_000)
  await addEmails(client, acmeId, 'uncertain', 20)
  await addEmails(client, smallId, 'waiting', 5)
})
const plans = await startQueryPlans({ owner, database }, { withRows: true })

const now = new Date()
const due = { kinds: ['newsletter', 'invitation'], now, limit: 10 }
const ids = Array.from({ length: 10 }, newId)

async function addEmails(client: Loader, tenantId: string, state: string, count: number): Promise<void> {
  await client.query(
    `insert into crm.email_messages (tenant_id, id, kind, ref_id, to_address, to_key, state, run_at, message_id, unsubscribe_token_hash)
     select $1, gen_random_uuid(), 'newsletter', gen_random_uuid(), 'p@x.example', 'p' || n || '@x.example', $2, now() - n * interval '1 second',
       case $2 when 'waiting' then null else $2 || n end,
       case $2 when 'waiting' then null else sha256(($2 || n)::bytea) end
     from generate_series(1, $3::integer) n`,
    [tenantId, state, count],
  )
}

type Query = (tx: TenantTx) => Promise<unknown>
const cases: [name: string, query: Query, index: RegExp][] = [
  [
    'due emails',
    (tx) => queries.listDueEmails(tx, due),
    /Index Scan using email_messages_waiting.*\n\s+Index Cond: .*tenant_id.*run_at <= /,
  ],
  [
    'due emails without a place of the day',
    (tx) => queries.listUncountedEmails(tx, { ...due, day: '2026-05-05' }),
    /Index Scan using email_messages_waiting.*\n\s+Index Cond: .*tenant_id.*run_at <= /,
  ],
  [
    'the next emails',
    (tx) => queries.findNextDispatch(tx, due.kinds),
    /email_messages_waiting[\s\S]*email_messages_claimed/,
  ],
  [
    'emails to lock',
    (tx) => queries.lockWaitingEmails(tx, ids),
    /email_messages_pkey.*\n\s+Index Cond: .*tenant_id.*id = ANY/,
  ],
  [
    'claims without a result',
    (tx) => queries.markExpiredClaims(tx, now, 10),
    /email_messages_claimed.*\n\s+Index Cond: .*claimed_at < /,
  ],
  ['uncertain emails', (tx) => queries.listUncertainEmailIds(tx, 10), /email_messages_uncertain/],
  [
    'the email of a token',
    (tx) => queries.findEmailByToken(tx, Buffer.alloc(32)),
    /email_messages_unsubscribe_token.*\n\s+Index Cond: .*tenant_id.*unsubscribe_token_hash = /,
  ],
  [
    'the email of a message id',
    (tx) => queries.listEmailsByMessageIds(tx, ['sent7']),
    /email_messages_message_id.*\n\s+Index Cond: .*tenant_id.*message_id = ANY/,
  ],
  [
    'the newest email to an address',
    (tx) => queries.findNewestEmailTo(tx, 'p7@x.example', new Date(0)),
    /email_messages_by_address.*\n\s+Index Cond: .*tenant_id.*to_key = /,
  ],
]

for (const [name, query, index] of cases)
  test(`${name} are read by an index, few rows at a time, in large and small workspaces`, async () => {
    const plan = await plans.planOf(systemActor(acmeId), query)
    const planOfSmall = await plans.planOf(systemActor(smallId), query)

    assert.match(plan, index)
    assert.ok(mostRowsOf(plan) <= 10, plan)
    assert.ok(mostRowsOf(planOfSmall) <= 10, planOfSmall)
  })

/** Most rows that a scan returned or removed by its filter, in all loops. */
function mostRowsOf(plan: string): number {
  const scanned = [...plan.matchAll(/Scan.*\(actual time=\S+ rows=(\d+) loops=(\d+)\)/g)]
  const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)]
  return Math.max(
    0,
    ...scanned.map(([, rows, loops]) => Number(rows) * Number(loops)),
    ...removed.map(([, rows]) => Number(rows)),
  )
}
