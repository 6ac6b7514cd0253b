// Query plans of the lists and of the dispatcher as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import * as jobs from './jobs/enrichment-jobs.queries.ts'
import * as claims from './jobs/job-claims.queries.ts'
import * as suggestions from './suggestions/suggestions.queries.ts'

const { owner, database } = await startPlanDb()
const acmeId = newId()
await loadRows(owner, async (client) => {
  await client.query(
    `insert into marketing.enrichment_jobs (tenant_id, id, entity_type, entity_id, status, trigger, run_at, finished_at, log)
   select $1, gen_random_uuid(), (array['lead', 'contact', 'account'])[1 + n % 3], gen_random_uuid(),
     (array['queued', 'succeeded', 'partial', 'no_match'])[1 + n % 4], 'auto', now() - n * interval '1 second',
     case when n % 4 > 0 then now() end, '[]'
   from generate_series(1, 20000) n`,
    [acmeId],
  )
  await client.query(
    `insert into marketing.enrichment_suggestions (tenant_id, id, entity_type, entity_id, field, current_value, suggested_value,
     value_hash, provider, confidence, state, decided_at)
   select $1, gen_random_uuid(), (array['lead', 'contact', 'account'])[1 + n % 3], gen_random_uuid(), 'title', '"a"', '"b"',
     sha256('b'), 'people', 0.8, case when n % 2 = 0 then 'open' else 'rejected' end, case when n % 2 = 1 then now() end
   from generate_series(1, 20000) n`,
    [acmeId],
  )
})
const plans = await startQueryPlans({ owner, database })
const page = { limit: 50, offset: 0, count: 'none' as const }
const cursor = Buffer.from(JSON.stringify([newId()])).toString('base64url')
const ref = { type: 'lead' as const, id: newId() }
const now = new Date()

type Query = (tx: TenantTx) => Promise<unknown>
const cases: [name: string, query: Query, index: RegExp][] = [
  ['jobs', (tx) => jobs.listJobs(tx, page), /enrichment_jobs_pkey/],
  [
    'jobs after a cursor',
    (tx) => jobs.listJobs(tx, { ...page, cursor }),
    /enrichment_jobs_pkey.*\n\s+Index Cond: .*id < /,
  ],
  [
    'jobs by status',
    (tx) => jobs.listJobs(tx, { ...page, status: ['queued', 'failed'] }),
    /enrichment_jobs_by_status.*\n\s+Index Cond: .*tenant_id.*status = wanted\.status/,
  ],
  [
    'jobs by status after a cursor',
    (tx) => jobs.listJobs(tx, { ...page, status: ['queued'], cursor }),
    /enrichment_jobs_by_status.*\n\s+Index Cond: .*status = wanted\.status.*id < /,
  ],
  [
    'jobs by type',
    (tx) => jobs.listJobs(tx, { ...page, entity_type: 'lead' }),
    /enrichment_jobs_by_type.*\n\s+Index Cond: .*entity_type = .*status = wanted\.status/,
  ],
  ['counts of jobs', (tx) => jobs.countJobsByStatus(tx), /enrichment_jobs_by_status/],
  [
    'the last job of a record',
    (tx) => jobs.findLastJob(tx, ref),
    /enrichment_jobs_by_lead.*\n\s+Index Cond: .*lead_id = /,
  ],
  [
    'the queued job of a record',
    (tx) => jobs.findLiveJob(tx, ref),
    /enrichment_jobs_live.*\n\s+Index Cond: .*entity_id = /,
  ],
  [
    'due jobs',
    (tx) => claims.claimDueJobs(tx, { claimId: newId(), now, maxRunning: 4 }),
    /enrichment_jobs_due.*\n\s+Index Cond: .*run_at <= /,
  ],
  [
    'expired claims',
    (tx) => claims.listExpiredJobs(tx, now, 10),
    /enrichment_jobs_claimed.*\n\s+Index Cond: .*claimed_at < /,
  ],
  ['the next dispatch', (tx) => claims.findNextDispatch(tx), /enrichment_jobs_due[\s\S]*enrichment_jobs_claimed/],
  ['open suggestions', (tx) => suggestions.listOpenSuggestions(tx, page), /enrichment_suggestions_open /],
  [
    'open suggestions after a cursor',
    (tx) => suggestions.listOpenSuggestions(tx, { ...page, cursor }),
    /enrichment_suggestions_open .*\n\s+Index Cond: .*id < /,
  ],
  [
    'open suggestions by type',
    (tx) => suggestions.listOpenSuggestions(tx, { ...page, entity_type: 'lead' }),
    /enrichment_suggestions_open_by_type.*\n\s+Index Cond: .*entity_type = /,
  ],
  [
    'open suggestions of a record',
    (tx) => suggestions.listOpenSuggestionsOf(tx, ref, 200),
    /enrichment_suggestions_(open_by_record|once).*\n\s+Index Cond: .*entity_id = /,
  ],
]

for (const [name, query, index] of cases)
  test(`${name} are read by an index`, async () => {
    const plan = await plans.planOf(systemActor(acmeId), query)

    assert.match(plan, index)
    assert.doesNotMatch(plan, /Seq Scan|Sort \(/)
  })
