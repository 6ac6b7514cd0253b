// Query plans of the audit log, as the application role and with generic plans as in production.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { enterTenant, inSystem, inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb } from '#testing'

const { db, systemDb, owner } = await startPlanDb()
const actor = systemActor(newId())
await loadRows(owner, async (client) => {
  await insertEntries(client, actor.tenantId, 30_000)
  for (let others = 0; others < 5; others++) await insertEntries(client, newId(), 1_000)
})

const planOf = (statement: string, values: string[]) => inTenant(db, actor, (tx) => explain(tx, statement, values))

const filters = [
  { column: 'resource_type', type: 'text', value: 'lead' },
  { column: 'resource_id', type: 'uuid', value: actor.tenantId },
  { column: 'user_id', type: 'uuid', value: actor.tenantId },
  { column: 'actor_user_id', type: 'uuid', value: actor.tenantId },
  { column: 'actor_type', type: 'text', value: 'api_key' },
  { column: 'action', type: 'text', value: 'lead.updated' },
]

for (const { column, type, value } of filters)
  test(`the newest entries by ${column} are read from its own index`, async () => {
    const plan = await planOf(
      `(${type}) as select id, changes from platform.audit_log where ${column} = $1
      order by id desc limit 51`,
      [value],
    )

    assert.match(plan, new RegExp(`_tenant_id_${column}_id_idx.*\\n\\s+Index Cond: .*tenant_id = .*${column} = \\$1`))
    assert.doesNotMatch(plan, /Seq Scan|Filter/)
  })

test('the newest entries, and those of a time range, are read from the primary key without sorting', async () => {
  const newest = await planOf('as select id from platform.audit_log order by id desc limit 51', [])
  const between = await planOf(
    `(uuid, uuid) as select id from platform.audit_log where id >= $1 and id < $2 order by id desc limit 51`,
    [newId(), newId()],
  )

  assert.match(newest, /_pkey.*\n\s+Index Cond: .*tenant_id = /)
  assert.match(between, /_pkey.*\n\s+Index Cond: .*tenant_id = .*id >= \$1.*id < \$2/)
  for (const plan of [newest, between]) assert.doesNotMatch(plan, /Sort {2}|Seq Scan|Filter/)
})

test('the newest entries of one user are read only from the two user indexes', async () => {
  const branch = (where: string) =>
    `(select id, changes from platform.audit_log where ${where} order by id desc limit 51)`
  const plan = await planOf(
    `(uuid) as select id, changes from (${branch('user_id = $1')} union all
     ${branch('actor_user_id = $1 and user_id is distinct from $1')}) entry order by id desc limit 51`,
    [actor.tenantId],
  )

  const scans = plan.match(/(?<=using audit_log_\w+?_tenant_id_)\w+(?=_id_idx)/g) ?? []
  assert.deepEqual([...new Set(scans)].sort(), ['actor_user_id', 'user_id'])
  assert.doesNotMatch(plan, /Seq Scan|_pkey/)
})

test('the chain of a tenant is read from its index, by the application role and by the sealer', async () => {
  const statement = `(uuid, xid8, xid8) as select id from platform.audit_log
    where tenant_id = $1 and epoch = 1 and xact >= $2 and xact < $3 order by xact, id limit 1000`
  const values = [actor.tenantId, '0', '9']

  const asApp = await planOf(statement, values)
  const asSystem = await inSystem(systemDb, async (tx) => explain(await enterTenant(tx, actor), statement, values))

  for (const plan of [asApp, asSystem]) {
    assert.match(plan, /_tenant_id_epoch_xact_id_idx.*\n\s+Index Cond: .*tenant_id = .*epoch = 1.*xact >= .*xact < /)
    assert.doesNotMatch(plan, /Sort {2}|Seq Scan/)
  }
})

test('the tenants with unsealed entries are read from an index across tenants', async () => {
  const statement = `(xid8, xid8) as select distinct tenant_id from platform.audit_log
    where epoch = 1 and xact >= $1 and xact < $2`

  const plan = await inSystem(systemDb, (tx) => explain(tx, statement, ['5', '9']))

  assert.match(plan, /_epoch_xact_tenant_id_idx.*\n\s+Index Cond: .*epoch = 1.*xact >= .*xact < /)
  assert.doesNotMatch(plan, /Seq Scan/)
})

async function explain(tx: TenantTx | Parameters<typeof enterTenant>[0], statement: string, values: string[]) {
  const [name, args] = [`plan_${newId().replaceAll('-', '')}`, values.map((value) => `'${value}'`).join(', ')]
  await sql`prepare ${sql.raw(name)} ${sql.raw(statement)}`.execute(tx)
  await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
  const execute = sql.raw(`execute ${name} ${args && `(${args})`}`)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${execute}`.execute(tx)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

function insertEntries(client: Loader, tenantId: string, count: number) {
  return client.query(
    `insert into platform.audit_log (tenant_id, id, action, resource_type, resource_id, user_id, actor_user_id, actor_type,
       salt, digest, xact)
     select $1, overlay(platform.id_at(now() + (n % 140 - 50) * interval '1 day')::text placing substr(md5(n::text), 1, 12) from 25)::uuid,
       type || '.updated', type, gen_random_uuid(), ids[1 + n % 40], case when n % 50 = 0 then ids[1 + n % 7] end,
       (array['user', 'api_key', 'system'])[1 + n % 3], substr(sha256(n::text::bytea), 1, 16), sha256('x'), n::text::xid8
     from generate_series(1, $2::integer) n,
       lateral (select (array['lead', 'contact', 'user', 'account'])[1 + n % 4] as type) as kinds,
       (select array_agg(gen_random_uuid()) as ids from generate_series(1, 40)) as people`,
    [tenantId, count],
  )
}
