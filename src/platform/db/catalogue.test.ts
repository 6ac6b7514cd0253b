// Checks the database catalogue for everything that row-level security depends on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRegistry, globalTables } from '#platform/module'
import { startTestDb } from '#testing'
import { modules } from '../../modules.ts'
import { connect, disconnect } from './connect.ts'
import { assertSafeRole } from './startup/role-check.ts'

const { owner, database, db } = await startTestDb()

const listRows = async (text: string) =>
  (await owner.query({ text, rowMode: 'array' })).rows.map((values) => values.join(' '))

/** Without partitions, which have a separate test. */
const tenantTables = `
  select t.oid, t.oid::regclass::text as name, t.relrowsecurity, t.relforcerowsecurity, c.attnum, c.attnotnull
  from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attname = 'tenant_id'
  where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace <> 'pgboss'::regnamespace`

const ownTables = `
  select t.oid, t.oid::regclass::text as name from pg_class t join pg_namespace n on n.oid = t.relnamespace
  where t.relkind in ('r', 'p', 'v', 'm') and not t.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'pgboss', 'public')`

test('every tenant table enforces row-level security, also for its owner', async () => {
  const unprotected = await listRows(`
    select name from (${tenantTables}) t
    where not (relrowsecurity and relforcerowsecurity and attnotnull) or not exists (
      select from pg_policy p where p.polrelid = t.oid and p.polcmd = '*' and p.polroles = '{0}'
      and pg_get_expr(p.polqual, t.oid) = '(tenant_id = ( SELECT platform.current_tenant_id() AS current_tenant_id))'
      and pg_get_expr(p.polwithcheck, t.oid) = '(tenant_id = ( SELECT platform.current_tenant_id() AS current_tenant_id))')`)

  assert.deepEqual(unprotected, [])
})

test('every other policy is for a background role or for the tenants table', async () => {
  const others = await listRows(`
    select polrelid::regclass, polname from pg_policy join pg_class t on t.oid = polrelid
    where polname <> 'tenant_isolation' and polrelid <> 'identity.tenants'::regclass and not t.relispartition
      and not polroles <@ array['app_system'::regrole::oid, 'app_search'::regrole::oid, 'app_retention'::regrole::oid]`)

  assert.deepEqual(others, [])
})

test('partitions are accessible only through their parent table', async () => {
  const reachable = await listRows(`
    select t.oid::regclass from pg_class t
    where t.relispartition and t.relkind = 'r' and t.relnamespace <> 'pgboss'::regnamespace
      and (not t.relrowsecurity or not t.relforcerowsecurity
        or has_table_privilege('app', t.oid, 'select, insert, update, delete')
        or has_table_privilege('app_system', t.oid, 'select, insert, update, delete'))`)

  assert.deepEqual(reachable, [])
})

test('keys and foreign keys of tenant tables start with tenant_id', async () => {
  const keys = await listRows(`
    select name, indexrelid::regclass from (${tenantTables}) t join pg_index i on i.indrelid = t.oid
    where (indisprimary or indisunique) and indkey[0] <> attnum`)
  const references = await listRows(`
    select name, conname from (${tenantTables}) t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
    where conkey[1] <> attnum`)

  assert.deepEqual([...keys, ...references], [])
})

test('every foreign key has an index', async () => {
  const unindexed = await listRows(`
    select f.conrelid::regclass, f.conname from pg_constraint f join (${tenantTables}) t on t.oid = f.conrelid
    where f.contype = 'f' and not exists (
      select from pg_index i where i.indrelid = f.conrelid
      and (i.indkey::int2[])[0:cardinality(f.conkey) - 1] @> f.conkey)`)

  assert.deepEqual(unindexed, [])
})

test('plans do not depend on the size of the workspace that came first', async () => {
  const untuned = await listRows(`
    select c.attrelid::regclass from pg_attribute c join pg_class t on t.oid = c.attrelid
    where c.attname = 'tenant_id' and coalesce(pg_partition_root(t.oid), t.oid) in (select oid from (${tenantTables}) tenant)
      and t.relkind in ('r', 'p') and not coalesce(c.attoptions @> '{n_distinct=2,n_distinct_inherited=2}', false)`)
  const rolesWithScans = await listRows(`
    select rolname from pg_roles where rolname = 'app' and not coalesce('enable_seqscan=off' = any (rolconfig), false)`)

  assert.deepEqual([...untuned, ...rolesWithScans], [])
})

test('tenant tables are vacuumed before many of their rows are dead', async () => {
  const untuned = await listRows(`
    select t.oid::regclass from pg_class t
    where t.relkind = 'r' and coalesce(pg_partition_root(t.oid), t.oid) in (select oid from (${tenantTables}) tenant)
      and not coalesce(t.reloptions @> '{autovacuum_vacuum_scale_factor=0.02,autovacuum_analyze_scale_factor=0.02,autovacuum_vacuum_insert_scale_factor=0.05}', false)`)

  assert.deepEqual(untuned, [])
})

test('JIT compilation is off for the roles of the processes', async () => {
  const rolesWithJit = await listRows(`
    select rolname from pg_roles where rolname in ('app', 'app_system') and not coalesce('jit=off' = any (rolconfig), false)`)

  assert.deepEqual(rolesWithJit, [])
})

test('no foreign key refers to a partitioned table', async () => {
  const pointing = await listRows(`
    select conrelid::regclass, conname from pg_constraint where contype = 'f' and conparentid = 0
    and confrelid in (select partrelid from pg_partitioned_table)`)

  assert.deepEqual(pointing, [])
})

test('the registered tables are exactly the tenant tables', async () => {
  const { tables } = buildRegistry(modules)
  const registered = Object.keys(tables).sort()

  assert.deepEqual(await listRows(`select name from (${tenantTables}) t order by name collate "C"`), registered)
})

test('the list of global tables is exactly the tables without a tenant', async () => {
  const global = await listRows(`
    select name from (${ownTables}) o where oid not in (select oid from (${tenantTables}) t) order by name collate "C"`)

  assert.deepEqual(global, [...globalTables].sort())
})

test('registered personal, owner and label columns exist', async () => {
  const columns = new Set(
    await listRows(
      `select attrelid::regclass || '.' || attname from pg_attribute where attnum > 0 and not attisdropped`,
    ),
  )
  const missing = Object.entries(buildRegistry(modules).tables).flatMap(([table, rules]) =>
    [...(rules.personal ?? []), rules.ownable, rules.audit_label, rules.purge_after?.column]
      .filter((column) => column !== undefined && !columns.has(`${table}.${column}`))
      .map((column) => `${table}.${column}`),
  )

  assert.deepEqual(missing, [])
})

/** Reviewed: each one filters by tenant or accesses no tenant rows, and sets its search path. */
const definers = [
  'community.search_posts(text,integer)',
  'community.search_threads(text,uuid,uuid[],text[],uuid,boolean,uuid[],boolean,boolean,integer)',
  'crm.redact_consent_events(bytea[],uuid[])',
  'crm.search_leads_by_priority(text[],integer,integer,smallint,timestamp with time zone,uuid)',
  'crm.search_records(text,text[],integer)',
  'enablement.search_content(text,integer)',
  'enablement.search_rooms(text[],integer)',
  'identity.forget_sign_ins(uuid)',
  'identity.search_users(text[],integer)',
  'platform.create_next_partition()',
  'platform.create_partition_between(text,timestamp with time zone,timestamp with time zone)',
  'platform.drop_next_partition(text,timestamp with time zone)',
  'platform.drop_partitions(text,timestamp with time zone)',
  'platform.ensure_partitions()',
  'platform.redact_audit(text,uuid[])',
  'platform.redact_audit_mentions(text[],uuid[],uuid,integer)',
  'platform.server_load()',
  'plg.search_actors(text[],integer)',
  'surveys.search_surveys(text[],integer)',
]

test('every SECURITY DEFINER function is on the reviewed list and sets its search path', async () => {
  const safe = await listRows(`
    select oid::regprocedure::text from pg_proc
    where prosecdef and pronamespace::regnamespace::text not in ('pgboss', 'pg_catalog', 'public')
      and 'search_path=""' = any(proconfig) order by 1`)
  const unsafe = await listRows(`
    select oid::regprocedure::text from pg_proc where prosecdef and not coalesce('search_path=""' = any(proconfig), false)
      and pronamespace::regnamespace::text not in ('pg_catalog', 'public')`)

  assert.deepEqual(safe, definers)
  assert.deepEqual(unsafe, [])
})

test('no SECURITY DEFINER function is executable by PUBLIC', async () => {
  const executable = await listRows(`
    select p.oid::regprocedure from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where a.grantee = 0 and p.prokind = 'f' and p.prosecdef
      and p.pronamespace::regnamespace::text in (select nspname from pg_namespace where nspname in ('platform', 'identity'))`)

  assert.deepEqual(executable, [])
})

test('the application role cannot read the payloads of jobs', async () => {
  const client = await db.pool.connect()
  await assert.rejects(client.query('select data from pgboss.job_common'), { code: '42501' })
  await assert.rejects(client.query('select data from pgboss.job'), { code: '42501' })
  client.release()
})

test('the role check accepts the application role and rejects privileged roles', async () => {
  const superuser = connect(database.ownerUrl)
  const system = connect(database.systemUrl)

  await assert.doesNotReject(assertSafeRole(db))
  await assert.rejects(
    assertSafeRole(superuser),
    /is a superuser, may bypass row-level security, owns \d+ tables and views \(for example [\w.]+\), may create in \d+ schemas \(for example \w+\), .*\. Use the role app\.$/,
  )
  await assert.rejects(assertSafeRole(system), /owns \d+ tables and views \(for example pgboss/)

  await Promise.all([superuser, system].map(disconnect))
})
