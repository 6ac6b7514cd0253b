// Query plans as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { findRecordsByText } from '../../lookup/record-search/record-search.queries.ts'
import { listDeletedRows } from '../../work/deleted-records/deleted-records.queries.ts'
import { listAwaitingLeadRows } from '../../work/home/home-leads.queries.ts'
import { listDuplicateRows } from '../duplicates/duplicates.queries.ts'
import { findLeadIdByEmail, getLead } from '../lead-records/leads.queries.ts'
import type { LeadSort } from '../lead-records/leads.schemas.ts'
import { leadSorts } from '../lead-records/leads.schemas.ts'
import { getLeadWithDuplicateCount } from './get-lead.queries.ts'
import type { LeadFilter } from './lead-filter.queries.ts'
import { listLeadRows, listLeadSummaryRows } from './list-leads.queries.ts'

const { owner, database, db } = await startPlanDb()
const [acmeId, memberId, trashId] = [newId(), newId(), newId()]
await loadRows(owner, async (client) => {
  await addMany(client, acmeId, 12_000)
  await addMany(client, newId(), 2_000)
  await addMany(client, trashId, 2_000)
  await client.query(
    `update crm.leads set deleted_at = created_at, deleted_by = case when score % 2 = 0 then $2::uuid end where tenant_id = $1`,
    [trashId, memberId],
  )
})
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)

const page = { limit: 50, offset: 0, count: 'none' as const }
const list = (filter: LeadFilter, sort: LeadSort = 'priority', more: object = {}) =>
  planOf((tx) => listLeadRows(tx, filter, { ...page, ...more, sort }))

const filters: [name: string, filter: LeadFilter, index: RegExp, condition: RegExp][] = [
  ['status', { status: ['new'] }, /leads_by_status/, /status = /],
  ['statuses', { status: ['new', 'working', 'converted'] }, /leads_by_status/, /status = /],
  ['stage', { lifecycle_stage: ['mql', 'sql'] }, /leads_by_stage/, /lifecycle_stage = /],
  ['grade', { grade: ['A', 'B'] }, /leads_by_grade/, /grade = /],
  ['source', { source: ['fair', 'web'] }, /leads_by_source/, /source = /],
  ['owner', { owner_id: memberId }, /leads_by_owner/, /owner_id = /],
  ['unassigned', { unassigned: true }, /leads_by_owner/, /owner_id IS NULL/],
  ['scores', { score_min: 40, score_max: 90 }, /leads_by_priority/, /priority_rank >= .*priority_rank <= /],
  [
    'grade and scores',
    { grade: ['B'], score_min: 40 },
    /leads_by_grade/,
    /grade = .*priority_rank >= .*priority_rank <= /,
  ],
  ['owner and scores', { owner_id: memberId, score_min: 90 }, /leads_by_owner/, /owner_id = .*priority_rank >= /],
  ['tag', { tag: 'rare 7' }, /leads_pkey/, /id = ANY/],
  ['search', { search: 'person77 company' }, /leads_pkey/, /id = ANY/],
  ['days', { created_from: '2026-01-01', created_to: '2026-01-01' }, /leads_pkey/, /id = ANY/],
]

for (const [name, filter, index, condition] of filters)
  test(`the filter by ${name} uses an index condition`, async () => {
    const plan = await list(filter)

    assert.match(plan, using(index, condition))
    assert.doesNotMatch(plan, /Seq Scan/)
  })

const orders: Record<string, string> = {
  priority: 'leads_by_priority',
  queue: 'leads_by_queue',
  score: 'leads_by_score',
  created_at: 'leads_by_creation',
  updated_at: 'leads_by_change',
  last_activity_at: 'leads_by_activity',
  name: 'leads_by_name',
  company: 'leads_by_company',
  sla_due_at: 'leads_by_due',
}

for (const sort of leadSorts)
  test(`sorting by ${sort} scans an index on the first page and after a cursor`, async () => {
    const index = new RegExp(orders[sort.replace('-', '')]!)
    const [whole, halfway] = [await list({}, sort), await nextPage(sort)]

    assert.match(whole, using(index, /tenant_id/))
    assert.match(halfway, using(index, /ROW\(.*\) [<>] ROW\(/))
    for (const plan of [whole, halfway]) {
      assert.doesNotMatch(plan, /Seq Scan/)
      assert.ok(highestLimitCost(plan) < 500, `${sort} reads too much:\n${plan}`)
    }
  })

test('a filter in the default order uses its index after a cursor', async () => {
  const filter: LeadFilter = { status: ['new', 'working'] }
  const { next_cursor } = await inTenant(db, systemActor(acmeId), (tx) =>
    listLeadRows(tx, filter, { ...page, sort: 'priority' }),
  )

  const plan = await list(filter, 'priority', { cursor: next_cursor })

  assert.match(plan, using(/leads_by_status/, /status = .*ROW\(.*priority_rank.*\) > ROW\(/))
})

test('the queue of an owner is one range of an index on the first page and after a cursor', async () => {
  for (const filter of [{ owner_id: memberId, status: ['new' as const] }, { unassigned: true }]) {
    const [whole, halfway] = [await list(filter, 'queue'), await nextPage('queue', filter)]

    assert.match(whole, using(/leads_by_owner_queue/, /owner_id (= |IS NULL)/))
    assert.match(halfway, using(/leads_by_owner_queue/, /owner_id (= |IS NULL).*ROW\(.*\) > ROW\(/))
    for (const plan of [whole, halfway]) assert.doesNotMatch(plan, /Seq Scan/)
  }
})

const filterFirst: [few: string, filter: LeadFilter, condition: string, index: RegExp][] = [
  ['few', { owner_id: memberId }, `owner_id = '${memberId}'`, /leads_by_owner/],
  ['many', { source: ['web', 'fair'] }, `source in ('web', 'fair')`, /leads_by_source/],
]
for (const [few, filter, condition, index] of filterFirst)
  test(`in another order a filter with ${few} matches uses its own index or the sort index`, async () => {
    const { rows } = await owner.query(
      `select id from crm.leads where tenant_id = $1 and ${condition} order by name_key desc nulls last, id desc limit 120`,
      [acmeId],
    )
    const [plan, pages] = [await list(filter, '-name'), await inTenant(db, systemActor(acmeId), twoPages)]

    assert.match(plan, using(index, /(source|owner_id) = /))
    assert.match(plan, using(/leads_pkey/, /id = ANY/))
    assert.match(plan, /One-Time Filter: \(.*> 2000\)(.*\n)+.*leads_by_name/)
    assert.deepEqual(pages, rows)

    async function twoPages(tx: TenantTx) {
      const first = await listLeadRows(tx, filter, { ...page, limit: 60, sort: '-name' })
      const next = { ...page, limit: 60, sort: '-name' as const, cursor: first.next_cursor! }
      return [...first.items, ...(await listLeadRows(tx, filter, next)).items].map(({ id }) => ({ id }))
    }
  })

test('dates, tags and searches use their own index, or filter row by row if they match too many leads', async () => {
  const days = await list({ created_from: '2026-01-01', created_to: '2026-01-01' })
  const rare = await list({ tag: 'rare 7' })
  const frequent = await list({ search: 'person' })
  const tagged = await list({ tag: 'frequent' })

  const { items, total, total_relation } = await inTenant(db, systemActor(acmeId), (tx) =>
    listLeadRows(tx, { search: 'person last' }, { limit: 50, offset: 300, sort: 'priority' }),
  )
  assert.deepEqual([items.length, total, total_relation], [50, 1_000, 'gte'])
  assert.match(days, using(/leads_by_day/, /created_on >= .*created_on <= /))
  assert.match(rare, /record_tags.*\n\s+Index Cond: .*entity_type.*tag = /)
  assert.match(frequent, using(/leads_by_priority/, /tenant_id/))
  assert.match(frequent, /Filter: COALESCE\(\(search_text ~~ ALL/)
  assert.match(tagged, using(/leads_by_priority/, /tenant_id/))
  assert.match(tagged, /record_tags.*\n\s+Index Cond: .*record_id = /)
})

test('a search reads the texts with its parts of words, and the leads of one page', async () => {
  const search = 'person77 company'
  const [ranked, sorted] = [await list({ search }), await list({ search }, 'name')]

  for (const plan of [ranked, sorted]) {
    assert.match(plan, /Bitmap Index Scan on search_texts_by_grams.*\n\s+Index Cond: .*text_grams\(.*\) @> /)
    assert.doesNotMatch(plan, /Seq Scan/)
  }
  assert.match(ranked, /Sort Key: found\w*.priority_rank, found\w*.created_at, found\w*.record_id/)
})

test('totals, single leads and duplicates use key indexes', async () => {
  const { rows } = await owner.query('select id from crm.leads where tenant_id = $1 limit 1', [acmeId])
  const counted = await list({ status: ['new'] }, 'priority', { count: undefined })
  const one = await planOf((tx) => getLead(tx, rows[0].id))
  const byEmail = await planOf((tx) => findLeadIdByEmail(tx, 'person7@company7.example'))
  const matchKeys = { id: rows[0].id, email_key: 'a@b.example', name_key: 'person77 last', company_key: 'company 7' }
  const duplicates = await planOf((tx) => listDuplicateRows(tx, matchKeys))
  const withCount = await planOf((tx) => getLeadWithDuplicateCount(tx, rows[0].id))

  assert.match(counted, /Index Cond: .*status = /)
  assert.match(one, using(/leads_pkey/, /id = /))
  assert.match(byEmail, using(/leads_by_email/, /email_key = /))
  assert.match(withCount, using(/leads_pkey/, /id = /))
  for (const plan of [duplicates, withCount]) {
    assert.match(plan, using(/leads_by_email/, /email_key = /))
    assert.match(plan, using(/leads_by_name_and_company/, /name_key = .*company_key = /))
  }
  for (const plan of [counted, one, byEmail, duplicates, withCount]) assert.doesNotMatch(plan, /Seq Scan on leads/)
})

test('deleted leads are the first entries of an index, for managers and for the user who deleted them', async () => {
  const filter = { type: 'lead' as const, since: new Date(0) }
  const planOfTrash = (deletedBy?: string) =>
    plans.planOf(systemActor(trashId), (tx) => listDeletedRows(tx, { ...filter, deletedBy }, page))
  const [all, own] = [await planOfTrash(), await planOfTrash(memberId)]

  assert.match(all, using(/leads_by_deletion/, /deleted_at > /))
  assert.match(own, using(/leads_by_deleter/, /deleted_by = .*deleted_at > /))
  for (const plan of [all, own]) assert.doesNotMatch(plan, /Seq Scan|Sort Key: leads/)
})

test('the leads of the home page are the first entries of an index', async () => {
  const plan = await planOf((tx) => listAwaitingLeadRows(tx, memberId, 6))

  assert.match(plan, using(/leads_awaiting_by_owner/, /owner_id = /))
  assert.doesNotMatch(plan, /Seq Scan|Sort Key/)
})

test('summaries of leads are read by the index of their order', async () => {
  const plan = await planOf((tx) => listLeadSummaryRows(tx, { owner_id: memberId }, { ...page, sort: 'priority' }))

  assert.match(plan, using(/leads_by_owner/, /owner_id = /))
  assert.doesNotMatch(plan, /Seq Scan/)
})

test('the search of all records ranks the matching leads only', async () => {
  const plan = await planOf((tx) => findRecordsByText(tx, 'lead', 'person77 company', 5))

  assert.match(plan, /Bitmap Index Scan on search_texts_by_grams/)
  assert.match(plan, using(/leads_pkey/, /id = ANY/))
  assert.doesNotMatch(plan, /Seq Scan/)
})

const using = (index: RegExp, condition: RegExp) =>
  new RegExp(`(using|on) ${index.source}.*(\\n.*)?\\n\\s+Index Cond: .*${condition.source}`)

const highestLimitCost = (plan: string): number =>
  Math.max(...[...plan.matchAll(/^\s*(?:->\s+)?Limit\s+\(cost=[\d.]+\.\.([\d.]+) /gm)].map(([, cost]) => Number(cost)))

async function nextPage(sort: LeadSort, filter: LeadFilter = {}): Promise<string> {
  const { next_cursor } = await inTenant(db, systemActor(acmeId), (tx) => listLeadRows(tx, filter, { ...page, sort }))
  return await list(filter, sort, { cursor: next_cursor })
}

async function addMany(client: Loader, tenantId: string, count: number) {
  await client.query(
    `with made as (
       insert into crm.leads (tenant_id, id, first_name, last_name, name_key, company, company_key, email, source, status, disqualify_reason,
         lifecycle_stage, owner_id, score, grade, last_activity_at, sla_due_at, search_text, created_at, updated_at, created_on)
       select $1, gen_random_uuid(), 'Person' || n, 'Last', case when n % 9 > 0 then 'person' || n || ' last' end,
         'Company ' || n % 500, case when n % 7 > 0 then 'company ' || n % 500 end, 'person' || n || '@company' || n % 500 || '.example',
         (array['web', 'fair', 'api', 'manual'])[1 + n % 4],
         (array['new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified'])[1 + n % 6],
         case when n % 6 = 5 then 'other' end, (array['subscriber', 'lead', 'mql', 'sql'])[1 + n % 4],
         case when n % 10 = 0 then $2::uuid end, n % 101, (array['A', 'B', 'C'])[1 + n % 3],
         case when n % 3 > 0 then timestamptz '2026-03-01' + n * interval '1 minute' end,
         case when n % 5 > 0 then timestamptz '2026-03-01' + n * interval '1 minute' end,
         ' person' || n || ' last company ' || n % 500, timestamptz '2026-01-01' + n * interval '1 minute',
         timestamptz '2026-01-01' + n * interval '1 minute', date '2026-01-01' + n / 1440
       from generate_series(1, $3::integer) n returning id, score, search_text, priority_rank, created_at
     ), texts as (
       insert into crm.search_texts (tenant_id, record_type, record_id, search_text, priority_rank, created_at)
       select $1, 'lead', id, search_text, priority_rank, created_at from made
     )
     insert into crm.record_tags (tenant_id, entity_type, tag, record_id)
     select $1, 'lead', 'frequent', id from made union all select $1, 'lead', 'rare ' || score, id from made`,
    [tenantId, memberId, count],
  )
}
