// Query plans for API keys and connected apps under the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listConnectedAppRows } from '../connected-apps/connected-apps.queries.ts'
import { getApiKeyRow } from './api-keys.queries.ts'
import { listTenantsWithExpiringKeys } from './expiring-keys.queries.ts'
import { listApiKeyRows } from './list-api-keys.queries.ts'

const { owner, database, db } = await startPlanDb()
const [acmeId, memberId, adminId] = [newId(), newId(), newId()]
await loadRows(owner, async (client) => {
  for (const id of [acmeId, newId(), newId()]) await addMany(client, id)
})
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)

const page = { limit: 50, offset: 0 }
const now = new Date()

test('a page of keys is read in index order for every caller', async () => {
  const all = await planOf((tx) => listApiKeyRows(tx, page, now))
  const own = await planOf((tx) => listApiKeyRows(tx, { ...page, created_by: memberId }, now))
  const { next_cursor } = await inTenant(db, systemActor(acmeId), (tx) => listApiKeyRows(tx, page, now))
  const further = await planOf((tx) => listApiKeyRows(tx, { ...page, cursor: next_cursor! }, now))

  assert.match(all, /Index Scan Backward using api_keys_pkey.*\n\s+Index Cond: .*tenant_id/)
  assert.match(own, /Index Scan Backward using api_keys_by_creator.*\n\s+Index Cond: .*tenant_id.*created_by = /)
  assert.match(further, /api_keys_pkey.*\n\s+Index Cond: .*tenant_id.*id < /)
  assert.doesNotMatch(all + own + further, /Seq Scan|Hash/)
})

test('the keys of an app and a single key are found by their indexes', async () => {
  const { rows } = await owner.query('select id from identity.api_keys where tenant_id = $1 limit 1', [acmeId])

  const ofApp = await planOf((tx) => listApiKeyRows(tx, { ...page, connected_app_id: rows[0].id }, now))
  const one = await planOf((tx) => getApiKeyRow(tx, rows[0].id))

  assert.match(ofApp, /api_keys_by_app.*\n\s+Index Cond: .*tenant_id.*connected_app_id = /)
  assert.match(one, /api_keys_pkey.*\n\s+Index Cond: .*tenant_id.*id = /)
})

test('a page of apps is read in name index order and counts keys by an index', async () => {
  const plan = await planOf((tx) => listConnectedAppRows(tx, page, now))

  assert.match(plan, /connected_apps_name_unique.*\n\s+Index Cond: .*tenant_id/)
  assert.match(plan, /api_keys_by_app.*\n\s+Index Cond: .*tenant_id.*connected_app_id = /)
  assert.doesNotMatch(plan, /Seq Scan|Hash/)
})

test('expiring keys are found across workspaces by an index scan', async () => {
  const plan = await plans.systemPlanOf((tx) => listTenantsWithExpiringKeys(tx, { now, soon: now }))

  assert.match(plan, /api_keys_by_expiry.*\n\s+Index Cond: \(expires_at <= /)
})

async function addMany(client: Loader, tenantId: string) {
  await client.query(
    `insert into identity.users (tenant_id, id, email, name, status, forecast_participant, source, search_text)
     select $1, coalesce(($2::uuid[])[n], gen_random_uuid()), n || '@crowd.example', md5(n::text), 'active', true, 'sample', ''
     from generate_series(1, 2000) n`,
    [tenantId, [memberId, adminId]],
  )
  await client.query(
    `with apps as (
       insert into identity.connected_apps (tenant_id, id, name)
       select $1, gen_random_uuid(), md5(n::text) from generate_series(1, 500) n returning id
     )
     insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, created_by, connected_app_id, expires_at)
     select $1, gen_random_uuid(), 'Key', 'svc_live_', '0000', sha256((apps.id::text || n)::bytea), '{crm.read}', $2, apps.id,
       now() + n * interval '100 days'
     from apps, generate_series(1, 10) n`,
    [tenantId, memberId],
  )
  await client.query(
    `insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, created_by)
     select $1, gen_random_uuid(), 'Key', 'svc_live_', '0000', sha256(('other' || n)::bytea), '{crm.read}', $2
     from generate_series(1, 5000) n`,
    [tenantId, adminId],
  )
}
