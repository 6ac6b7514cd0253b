// How PostgreSQL finds what happened with a lead, as the application role, with the plans it really uses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemIn } from '#platform/access'
import { startPlans, startTestApp } from '#testing'
import { leadWith } from '../leads/leads.fixture.ts'
import { latestMoments, momentsFrom } from './assist.queries.ts'
import { answers, ourTouches } from './draft.rules.ts'
import { interests } from './qualify.rules.ts'

const { owner, database, tenant } = await startTestApp()
const acme = await tenant()
const [lead, other] = [await leadWith(acme, {}), await leadWith(acme, {})]
for (const { id } of [lead, other])
  await owner.query(
    `insert into crm.activities (tenant_id, id, lead_id, type, direction, occurred_at, actor_type, source)
     select $1, gen_random_uuid(), $2, (array['page_viewed', 'email_opened', 'note', 'product_used'])[1 + n % 4], 'in', now() - n * interval '1 minute', 'person', 'api'
     from generate_series(1, 10000) n`,
    [acme.id, id],
  )
await owner.query('analyze')
const plans = await startPlans({ owner, database })
const since = new Date(0)

test('the latest activities are at the end of an index', async () => {
  const plan = await plans.planOf(systemIn(acme.id), (tx) => latestMoments(tx, lead.id, 20))

  assert.match(plan, /Scan Backward using activities_by_lead on activities.*\n\s+Index Cond: .*tenant_id.*lead_id = /)
  assert.doesNotMatch(plan, /Seq Scan|Sort/)
})

test('what was seldom is found without walking past everything else', async () => {
  for (const sources of [answers, ourTouches, interests]) {
    const plan = await plans.planOf(systemIn(acme.id), (tx) => momentsFrom(tx, lead.id, sources, { since, limit: 4 }))

    assert.match(plan, /activities_by_lead_and_type.*\n\s+Index Cond: .*tenant_id.*lead_id = .*type = .*occurred_at > /)
    assert.doesNotMatch(plan, /Seq Scan/)
  }
})
