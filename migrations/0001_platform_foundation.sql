-- Who may do what in this database.
--   app           serves requests; sees one tenant at a time
--   app_system    relays events, runs the queue, obeys the operator; sees a tenant after entering it, and every row only of
--                 tables opened to it
--   app_search    owns the search functions, reads what they search, cannot log in
--   app_retention deletes what nobody else may delete; app_system takes it on for that purpose only
do $$
begin
  if not exists (select from pg_roles where rolname = 'app') then create role app login; end if;
  if not exists (select from pg_roles where rolname = 'app_system') then create role app_system login noinherit; end if;
  if not exists (select from pg_roles where rolname = 'app_search') then create role app_search nologin; end if;
  if not exists (select from pg_roles where rolname = 'app_retention') then create role app_retention nologin; end if;
end $$;
grant app_retention to app_system;
-- Whoever migrates need not be a superuser, but hands the search functions over to their owner.
grant app_search to current_user;

-- Limits belong to the role, not to the session, so that a pooler may stand in between.
alter role app set statement_timeout = '5s';
alter role app set lock_timeout = '2s';
alter role app set idle_in_transaction_session_timeout = '10s';
alter role app set timezone = 'UTC';
-- Statements are prepared once; `auto` would plan most lists anew on every call.
alter role app set plan_cache_mode = force_generic_plan;
-- A page of a list is never worth starting parallel workers for.
alter role app set max_parallel_workers_per_gather = 0;
alter role app_system set statement_timeout = '60s';
alter role app_system set lock_timeout = '5s';
alter role app_system set idle_in_transaction_session_timeout = '60s';
alter role app_system set timezone = 'UTC';

alter default privileges revoke execute on functions from public;

create schema platform;
grant usage on schema platform to app, app_system, app_search, app_retention;

-- Null outside a tenant transaction, so that every policy fails closed. After a transaction the setting is '', not null.
create function platform.current_tenant_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.tenant_id', true), '')::uuid;
grant execute on function platform.current_tenant_id() to app, app_system, app_search, app_retention;

-- Closes a table to every tenant but the current one, its owner included.
create procedure platform.isolate_by_tenant(target regclass)
language plpgsql as $$
begin
  execute format('alter table %s alter column tenant_id set default platform.current_tenant_id()', target);
  execute format('alter table %s enable row level security, force row level security', target);
  execute format('create policy tenant_isolation on %s using (tenant_id = platform.current_tenant_id())
    with check (tenant_id = platform.current_tenant_id())', target);
  execute format('grant select, insert, update, delete on %s to app, app_system', target);
end $$;

-- Lets the system role see the rows of all tenants: for what is claimed across tenants, and for nothing else.
create procedure platform.open_to_system(target regclass)
language plpgsql as $$
begin
  execute format('create policy system_access on %s to app_system using (true) with check (true)', target);
end $$;

-- What was written stays as it was; only retention removes it, when its time is over.
create procedure platform.keep_as_written(target regclass)
language plpgsql as $$
begin
  execute format('revoke update, delete on %s from app, app_system', target);
  execute format('grant select, delete on %s to app_retention', target);
end $$;

create function platform.count_version() returns trigger
language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $$;

create function platform.touch() returns trigger
language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- The smallest version 7 id of an instant: ids carry their time, so tables can be partitioned by it.
create function platform.id_at(instant timestamptz) returns uuid
  language sql immutable parallel safe
  return (lpad(to_hex(floor(extract(epoch from instant) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;

grant execute on function platform.id_at(timestamptz) to app, app_system;

create table platform.partitioned_tables (
  parent text primary key,
  span text not null constraint partitioned_tables_span_known check (span in ('day', 'month')),
  ahead integer not null,
  -- A partition is kept while any of its rows meets this condition.
  kept_while text not null default 'true'
);

-- Splits a table by the time in its ids. It comes with a default partition, so that a late job never stops writes.
create procedure platform.partition_by_id(parent regclass, span text, ahead integer, kept_while text default 'true')
language plpgsql as $$
begin
  insert into platform.partitioned_tables values (parent::text, span, ahead, kept_while);
  execute format('create table %s partition of %s default', parent::text || '_default', parent);
  call platform.guard_partition(parent::text || '_default');
end $$;

-- Nobody reaches a partition but through its parent. The owner looks inside before dropping one, hence the policy.
create procedure platform.guard_partition(target text)
language plpgsql as $$
begin
  execute format('alter table %s enable row level security, force row level security', target);
  execute format('create policy upkeep on %s for select to %I using (true)', target, current_user);
end $$;

create function platform.ensure_partitions() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  entry platform.partitioned_tables;
  starts timestamptz;
  name text;
  made integer := 0;
begin
  for entry in select parent, span, ahead, kept_while from platform.partitioned_tables loop
    for step in 0..entry.ahead loop
      starts := (date_trunc(entry.span, now() at time zone 'UTC') + step * ('1 ' || entry.span)::interval) at time zone 'UTC';
      name := entry.parent || to_char(starts at time zone 'UTC', case entry.span when 'day' then '_YYYYMMDD' else '_YYYYMM' end);
      continue when to_regclass(name) is not null;
      begin
        execute format('create table %s partition of %s for values from (%L) to (%L)', name, entry.parent,
          platform.id_at(starts), platform.id_at((starts at time zone 'UTC' + ('1 ' || entry.span)::interval) at time zone 'UTC'));
        call platform.guard_partition(name);
        made := made + 1;
      exception when check_violation then
        -- Rows of that time lie in the default partition already; they stay there.
        raise notice 'no partition % was made, its rows are in the default one', name;
      end;
    end loop;
  end loop;
  return made;
end $$;

-- Drops the partitions of a table that ended before an instant and hold nothing that must be kept.
create function platform.drop_partitions(target text, ended_before timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  entry platform.partitioned_tables;
  child record;
  has_kept boolean;
  dropped integer := 0;
begin
  select parent, span, ahead, kept_while into strict entry from platform.partitioned_tables where parent = target;
  for child in
    select c.oid::regclass::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = target::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  loop
    continue when (regexp_match(child.bound, 'TO \(''([^'']+)''\)'))[1]::uuid > platform.id_at(ended_before);
    execute format('select exists (select from %s where %s)', child.name, entry.kept_while) into has_kept;
    continue when has_kept;
    execute format('drop table %s', child.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
grant execute on function platform.ensure_partitions(), platform.drop_partitions(text, timestamptz) to app_system;
