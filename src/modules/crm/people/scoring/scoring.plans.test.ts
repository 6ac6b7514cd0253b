// Plans of the scoring queries as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId, nilUuid } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { linkLeadActivities } from '../../work/convert/convert.queries.ts'
import {
  getScoringConfig,
  listDecayingLeadIdsAfter,
  listLeadIdsAfter,
  listRecentSignals,
  listScoreComponents,
} from './scoring.queries.ts'
import { signals } from './signals.rules.ts'

const { owner, database } = await startPlanDb()
const acmeId = newId()
await loadRows(owner, async (client) => {
  for (const id of [acmeId, newId()]) await insertLeads(client, id)
})
const { rows } = await owner.query('select id from crm.leads where tenant_id = $1 limit 1', [acmeId])
const leadId: string = rows[0].id
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)
const longAgo = new Date('2000-01-01')

test('the newest signals are read from the end of an index', async () => {
  const plan = await planOf((tx) => listRecentSignals(tx, [leadId], signals, longAgo))

  assert.match(
    plan,
    /Index (Only )?Scan Backward using activities_by_lead_and_type on activities.*\n\s+Index Cond: .*tenant_id.*lead_id = .*type = .*occurred_at > /,
  )
  assert.doesNotMatch(plan, /Seq Scan/)
})

test('leads are read in id order, and decaying leads by a partial index', async () => {
  const all = await planOf((tx) => listLeadIdsAfter(tx, nilUuid, 500))
  const decaying = await planOf((tx) => listDecayingLeadIdsAfter(tx, nilUuid, new Date(), 500))

  assert.match(all, /leads_pkey.*\n\s+Index Cond: .*tenant_id.*id > /)
  assert.match(decaying, /leads_engaged.*\n\s+Index Cond: .*tenant_id.*id > /)
  assert.doesNotMatch(all + decaying, /Seq Scan|Sort/)
})

test('components and the newest config are read by primary key', async () => {
  const components = await planOf((tx) => listScoreComponents(tx, [leadId]))
  const config = await planOf(getScoringConfig)

  assert.match(components, /lead_score_components_pkey.*\n\s+Index Cond: .*tenant_id.*lead_id = ANY/)
  assert.match(config, /Backward using lead_scoring_configs_pkey.*\n\s+Index Cond: .*tenant_id/)
})

test('activities of a converted lead are read by lead and updated by id', async () => {
  const plan = await planOf((tx) => linkLeadActivities(tx, leadId, 500))

  assert.match(plan, /activities_by_lead.*\n\s+Index Cond: .*lead_id = /)
  assert.match(plan, /activities_pkey.*(\n.*)?\n\s+Index Cond: .*id = ANY/)
  assert.doesNotMatch(plan, /Seq Scan/)
})

async function insertLeads(client: Loader, tenantId: string) {
  await client.query(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_on, engagement_score, scored_at)
     select $1, gen_random_uuid(), 'Lead ' || n, 'import', '', '2026-01-01', n % 3, now() - interval '2 days'
     from generate_series(1, 12000) n`,
    [tenantId],
  )
  await client.query(
    `insert into crm.activities (tenant_id, id, lead_id, type, direction, occurred_at, actor_type, source)
     select $1, gen_random_uuid(), id, (array['page_viewed', 'email_opened', 'email', 'call'])[1 + n % 4], 'in',
       now() - n * interval '1 hour', 'person', 'api'
     from (select id from crm.leads where tenant_id = $1 limit 100) as busy, generate_series(1, 100) n`,
    [tenantId],
  )
  await client.query(
    `insert into crm.lead_score_components (tenant_id, lead_id, key, label, points)
     select $1, id, 'pql:trial', 'Trial', 5 from crm.leads where tenant_id = $1`,
    [tenantId],
  )
  await client.query(
    `insert into crm.lead_scoring_configs (tenant_id, version, config) select $1, n, '{}' from generate_series(1, 300) n`,
    [tenantId],
  )
}
