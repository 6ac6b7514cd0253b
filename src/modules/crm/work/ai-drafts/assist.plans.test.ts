// Plans of the activity queries as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listActivitiesBySource, listLatestActivities } from './assist.queries.ts'
import { outboundSources, replySources } from './draft.rules.ts'
import { interestSources } from './qualify.rules.ts'

const { owner, database } = await startPlanDb()
const [acmeId, leadId] = [newId(), newId()]
await loadRows(owner, (client) =>
  client.query(
    `insert into crm.activities (tenant_id, id, lead_id, type, direction, occurred_at, actor_type, source)
     select $1, gen_random_uuid(), lead_id, (array['page_viewed', 'email_opened', 'note', 'product_used'])[1 + n % 4], 'in', now() - n * interval '1 minute', 'person', 'api'
     from generate_series(1, 500) n, unnest($2::uuid[]) as lead_id`,
    [acmeId, [leadId, ...Array.from({ length: 39 }, newId)]],
  ),
)
const plans = await startQueryPlans({ owner, database })
const since = new Date(0)

test('the latest activities are read from the end of an index', async () => {
  const plan = await plans.planOf(systemActor(acmeId), (tx) => listLatestActivities(tx, leadId, 20))

  assert.match(plan, /Scan Backward using activities_by_lead on activities.*\n\s+Index Cond: .*tenant_id.*lead_id = /)
  assert.doesNotMatch(plan, /Seq Scan|Sort/)
})

test('rare activity types are read by an index on the type', async () => {
  for (const sources of [replySources, outboundSources, interestSources]) {
    const plan = await plans.planOf(systemActor(acmeId), (tx) =>
      listActivitiesBySource(tx, leadId, sources, { since, limit: 4 }),
    )

    assert.match(plan, /activities_by_lead_and_type.*\n\s+Index Cond: .*tenant_id.*lead_id = .*type = .*occurred_at > /)
    assert.doesNotMatch(plan, /Seq Scan/)
  }
})
