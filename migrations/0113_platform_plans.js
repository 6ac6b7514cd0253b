// Prepared statements keep one plan per connection, which all workspaces share, so plans must not depend on the workspace that came
// first. The subquery hides the tenant from the planner, and with `n_distinct` every workspace is planned for as if it were the
// largest one: such a plan is acceptable for a small workspace, but not the other way round. A sequential scan would read the rows of
// all workspaces. Tables of many workspaces must be vacuumed long before a fifth of all their rows is dead.
export const up = async (pgm) => {
  pgm.noTransaction()
  pgm.sql('alter role app set enable_seqscan = off')
  pgm.sql(`create or replace procedure platform.tune_tenant_table(target regclass)
    language plpgsql set search_path = '' as $$
    begin
      execute format('alter table %s alter column tenant_id set (n_distinct = 2, n_distinct_inherited = 2)', target);
      if (select relkind from pg_catalog.pg_class where oid = target) = 'r' then
        execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
          autovacuum_vacuum_insert_scale_factor = 0.05)', target);
      end if;
    end $$`)
  pgm.sql('revoke execute on procedure platform.tune_tenant_table(regclass) from public')
  pgm.sql(`create or replace procedure platform.isolate_by_tenant(target regclass)
    language plpgsql as $$
    begin
      execute format('alter table %s alter column tenant_id set default platform.current_tenant_id()', target);
      execute format('alter table %s enable row level security, force row level security', target);
      execute format('create policy tenant_isolation on %s using (tenant_id = (select platform.current_tenant_id()))
        with check (tenant_id = (select platform.current_tenant_id()))', target);
      execute format('grant select, insert, update, delete on %s to app, app_system', target);
      call platform.tune_tenant_table(target);
    end $$`)
  pgm.sql(`create or replace procedure platform.guard_partition(target text)
    language plpgsql as $$
    begin
      execute format('alter table %s enable row level security, force row level security', target);
      execute format('create policy upkeep on %s for select to %I using (true)', target, current_user);
      call platform.tune_tenant_table(target::regclass);
    end $$`)
  const { rows: tables } = await pgm.db.query(`
    select t.oid::regclass::text as name, t.relispartition as "isPartition", t.reltuples > 0 as "hasRows"
    from pg_class t
    where t.relkind in ('r', 'p') and coalesce(pg_partition_root(t.oid), t.oid) in (
      select polrelid from pg_policy where polname = 'tenant_isolation')
    order by 1`)
  // One table at a time: statements of running processes wait behind each lock.
  for (const { name, isPartition } of tables)
    pgm.sql(`begin; set local lock_timeout = '2s'; ${isPartition ? '' : replacePolicy(name)}
      call platform.tune_tenant_table('${name}'); commit`)
  // The planner uses `n_distinct` only after the next ANALYZE.
  for (const { name } of tables.filter(({ hasRows }) => hasRows)) pgm.sql(`analyze ${name}`)
}

const replacePolicy = (name) => `
  alter policy tenant_isolation on ${name} using (tenant_id = (select platform.current_tenant_id()))
    with check (tenant_id = (select platform.current_tenant_id()));`

export const down = false
