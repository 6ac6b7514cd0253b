// Query plans of webhook deliveries, explained as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { findNextAttempt, listDueDeliveries } from '../webhook-dispatch/dispatch.queries.ts'
import { listDeliveryRows } from './list-deliveries.queries.ts'
import { listUnrecoveredDeliveries } from './webhook-deliveries.queries.ts'

const { owner, database } = await startPlanDb()
const [tenantId, endpointId, otherId] = [newId(), newId(), newId()]
await loadRows(owner, (client) =>
  client.query(
    `insert into operations.webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, event, state, next_attempt_at, finished_at)
     select $1, (substr($4, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, case when n % 2 = 0 then $2::uuid else $3::uuid end, $2,
       case when n % 100 = 0 then 'team.created' else 'lead.created' end, '{}', state,
       case when state = 'pending' then now() end, case when state <> 'pending' then now() end
     from generate_series(1, 10000) n cross join lateral (select case n % 50 when 0 then 'pending' when 2 then 'failed' else 'succeeded' end) as s (state)`,
    [tenantId, endpointId, otherId, newId()],
  ),
)
const plans = await startQueryPlans({ owner, database })

const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(tenantId), work)
const page = { limit: 50, offset: 0, count: 'none' as const }

test('a page of deliveries is an ordered scan of the index of its endpoint', async () => {
  const first = await planOf((tx) => listDeliveryRows(tx, endpointId, page))
  const cursor = Buffer.from(JSON.stringify([newId()])).toString('base64url')
  const next = await planOf((tx) => listDeliveryRows(tx, endpointId, { ...page, cursor }))

  assert.match(first, /webhook_deliveries\w*_endpoint_id_id_idx\w* .*\n\s+Index Cond: .*tenant_id.*endpoint_id = /)
  assert.match(next, /_endpoint_id_id_idx\w* .*\n\s+Index Cond: .*tenant_id.*endpoint_id = .*id < /)
  assert.doesNotMatch(first + next, /Seq Scan|-> {2}Sort/)
})

test('filters by type and by unsuccessful states use their own index', async () => {
  const byType = await planOf((tx) => listDeliveryRows(tx, endpointId, { ...page, event_type: 'team.created' }))
  const failed = await planOf((tx) => listDeliveryRows(tx, endpointId, { ...page, state: ['failed'] }))
  const recovered = await planOf((tx) =>
    listUnrecoveredDeliveries(tx, {
      endpointId,
      states: ['failed'],
      after: newId().replace(/^...../, '00000'),
      limit: 500,
    }),
  )

  assert.match(byType, /Index Cond: .*endpoint_id = .*event_type = /)
  assert.match(failed, /_endpoint_id_id_idx1\w* /)
  assert.match(recovered, /_endpoint_id_id_idx1\w* /)
  assert.doesNotMatch(byType + failed, /Seq Scan|-> {2}Sort/)
  assert.match(recovered, /_redelivery_of_id_idx on .*\n\s+Index Cond: .*redelivery_of_id = /)
})

test('due deliveries are read in order from the index of pending ones', async () => {
  const due = await planOf((tx) => listDueDeliveries(tx, { endpointId, now: new Date(), limit: 50 }))
  const next = await planOf((tx) => findNextAttempt(tx, endpointId))

  assert.match(due, /_next_attem\w* .*\n\s+Index Cond: .*endpoint_id = .*next_attempt_at <= /)
  assert.match(next, /_next_attem\w* /)
  assert.doesNotMatch(due + next, /Seq Scan|-> {2}Sort/)
})
