// Query plans of segments, their members and flows, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMatchingIds } from '#modules/crm'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId, nilUuid } from '#platform/ids'
import { type Loader, loadRows, startPlanApp, startQueryPlans } from '#testing'
import {
  listActiveFlowIds,
  listFlowRows,
  listNewMembers,
  listTenantsWithActiveFlows,
} from '../continuous-enrollment/segment-flows.queries.ts'
import { listSegmentsToCount, listTenantsToCount } from '../segment-counts/segment-counts.queries.ts'
import { listMemberCounts } from './member-counts.queries.ts'
import { listSegmentIdsUsing, listSegmentUseRows, listUsesAbove } from './segment-references.queries.ts'
import { requireSegmentRule } from './segment-rule.service.ts'
import { findSegmentIdByName, getSegmentRow, listSegmentRows } from './segments.queries.ts'

const { owner, database, tenant, services } = await startPlanApp()
const acme = await tenant()
const [listId, flowId] = [newId(), newId()]
await loadRows(owner, async (client) => {
  await fill(client, acme.id, { listId, flowId })
  await fill(client, newId(), { listId: newId(), flowId: newId() })
})
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acme.id), work)
const page = { limit: 20, offset: 0, count: 'none' } as const
const context = { now: new Date('2026-03-10T00:00:00Z'), timezone: 'UTC', me: null }

test('a page of segments is an ordered scan of the index by name', async () => {
  const first = await planOf((tx) => listSegmentRows(tx, page))
  const cursor = Buffer.from(JSON.stringify(['segment 500', nilUuid])).toString('base64url')
  const next = await planOf((tx) => listSegmentRows(tx, { ...page, cursor }))
  const invalid = await planOf((tx) => listSegmentRows(tx, { ...page, state: 'invalid' }))

  assert.match(first, /segments_by_name .*\n\s+Index Cond: .*tenant_id/)
  assert.match(next, /segments_by_name .*\n\s+Index Cond: .*ROW\(name_key, id\) > /)
  assert.match(invalid, /segments_by_name .*\n\s+Index Cond: .*tenant_id.*\n\s+Filter: .*state = /)
  assert.doesNotMatch(first + next + invalid, /Seq Scan|-> {2}Sort/)
})

test('a segment is found by its name, and segments by what their rules refer to', async () => {
  const name = await planOf((tx) => findSegmentIdByName(tx, 'lead', 'Segment 7'))
  const uses = await planOf(async (tx) => {
    await listSegmentIdsUsing(tx, 'field', 'lead.custom.region')
    await listUsesAbove(tx, listId)
    await listSegmentUseRows(tx, listId)
  })

  assert.match(name, /segments_(name_unique|by_name) .*\n\s+Index Cond: .*name_key = /)
  assert.match(uses, /segment_references_by_ref .*\n\s+Index Cond: .*kind = .*ref = /)
  assert.doesNotMatch(name + uses, /Seq Scan on (segments|segment_references|segment_flows)/)
})

test('members of a static segment are read from its list', async () => {
  const list = async (tx: TenantTx) => await requireSegmentRule(tx, await getSegmentRow(tx, listId), services)
  const members = await planOf(async (tx) => listMatchingIds(tx, await list(tx), context, { limit: 50 }))
  const later = await planOf(async (tx) => {
    const rule = await list(tx)
    await listMatchingIds(tx, rule, context, { after: newId(), limit: 50 })
    await listMatchingIds(tx, rule, context, { offset: 40, limit: 50 })
  })
  const unenrolled = await planOf(async (tx) =>
    listNewMembers(tx, flowId, { rule: await list(tx), context }, { after: nilUuid, limit: 500 }),
  )

  for (const plan of [members, later, unenrolled]) {
    assert.match(plan, /segment_members_pkey .*\n\s+Index Cond: .*segment_id = /)
    assert.doesNotMatch(plan, /Seq Scan on (leads|segment_members|segment_flow_records)/)
  }
  assert.match(unenrolled, /segment_flow_records_pkey .*\n\s+Index Cond: .*flow_id = /)
})

test('flows are read by their segment, active ones by their state', async () => {
  const flows = await planOf((tx) => listFlowRows(tx, listId, page))
  const active = await planOf(listActiveFlowIds)
  const tenants = await plans.systemPlanOf(listTenantsWithActiveFlows)

  assert.match(flows, /segment_flows_target_unique .*\n\s+Index Cond: .*segment_id = /)
  assert.match(active, /segment_flows_active/)
  assert.match(tenants, /segment_flows_active/)
  assert.doesNotMatch(flows + active + tenants, /Seq Scan on segment_flows/)
})

test('segments to count are read in the order of their due time', async () => {
  const now = new Date('2026-03-10T00:00:00Z')
  const due = await planOf((tx) => listSegmentsToCount(tx, now, 200))
  const counts = await planOf((tx) => listMemberCounts(tx, [listId]))
  const tenants = await plans.systemPlanOf((tx) => listTenantsToCount(tx, now))

  assert.match(due, /segment_counts_by_due .*\n\s+Index Cond: .*tenant_id.*due_at/)
  assert.match(counts, /segment_counts_pkey .*\n\s+Index Cond: .*segment_id = ANY/)
  assert.match(tenants, /segment_counts_due .*\n\s+Index Cond: .*due_at/)
  assert.doesNotMatch(due + counts, /Seq Scan|-> {2}Sort/)
})

/** 1,000 segments, each with a flow and two references; one of them is static, has 200 of 10,000 leads and the only active flow. */
async function fill(client: Loader, tenantId: string, ids: { listId: string; flowId: string }): Promise<void> {
  await client.query(
    `insert into marketing.segments (tenant_id, id, object_type, name, kind, rules, state, search_text)
     select $1, case when n = 1 then $2::uuid else gen_random_uuid() end, (array['lead', 'contact', 'account'])[1 + (n - 1) % 3],
       'Segment ' || n, case when n = 1 then 'static' else 'dynamic' end, '{"all": []}',
       case when n % 10 = 0 then 'invalid' else 'ok' end, ' segment ' || n
     from generate_series(1, 1000) n`,
    [tenantId, ids.listId],
  )
  await client.query(
    `update marketing.segment_counts set due_at = '2026-03-11' where tenant_id = $1 and segment_id <> $2`,
    [tenantId, ids.listId],
  )
  await client.query(
    `insert into marketing.segment_references (tenant_id, segment_id, kind, ref)
     select $1, id, 'field', object_type || '.custom.field_' || row_number() over () from marketing.segments where tenant_id = $1
     union all
     select $1, id, 'segment', case when row_number() over () = 2 then $2::text else gen_random_uuid()::text end
     from marketing.segments where tenant_id = $1`,
    [tenantId, ids.listId],
  )
  await client.query(
    `insert into marketing.segment_flows (tenant_id, id, segment_id, target_type, target_id, is_active, requested_by)
     select $1, case when id = $2 then $3::uuid else gen_random_uuid() end, id, 'campaign', gen_random_uuid(), id = $2, '{}'
     from marketing.segments where tenant_id = $1`,
    [tenantId, ids.listId, ids.flowId],
  )
  await client.query(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_on)
     select $1, gen_random_uuid(), 'Moss', 'web', ' moss', '2026-01-01' from generate_series(1, 10000)`,
    [tenantId],
  )
  await client.query(
    `with members as (
       insert into marketing.segment_members (tenant_id, segment_id, lead_id)
       select tenant_id, $2, id from crm.leads where tenant_id = $1 limit 200 returning lead_id
     )
     insert into marketing.segment_flow_records (tenant_id, flow_id, lead_id) select $1, $3, lead_id from members limit 100`,
    [tenantId, ids.listId, ids.flowId],
  )
  await client.query(
    `insert into marketing.segment_members (tenant_id, segment_id, lead_id)
     select $1, segment.id, lead.id from crm.leads lead
     cross join (select id from marketing.segments where tenant_id = $1 and id <> $2 and object_type = 'lead' limit 2) as segment
     where lead.tenant_id = $1`,
    [tenantId, ids.listId],
  )
  await client.query(
    `insert into marketing.segment_flow_records (tenant_id, flow_id, lead_id)
     select $1, flow.id, lead.id from crm.leads lead
     cross join (select id from marketing.segment_flows where tenant_id = $1 and id <> $2 limit 2) as flow where lead.tenant_id = $1`,
    [tenantId, ids.flowId],
  )
}
