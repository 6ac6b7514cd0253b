-- Partitions are created and dropped one per call, so that each can be a transaction of its own. A call that cannot get its lock
-- within half a second fails, and the caller tries again later: writers that queue behind it wait no longer than that.

-- Rows that meet this condition move to the default partition when theirs is dropped.
alter table platform.partitioned_tables add column moved_while text not null default 'false';

-- Events with an unfinished delivery: waiting, running, parked or in the dead-letter queue. Written in plpgsql, because pg-boss
-- creates its tables after the migrations.
create function platform.list_undelivered_event_ids() returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
    select (j.data -> 'payload' ->> 'event_id')::uuid from pgboss.job_common j
    where j.name in ('events', 'events_dead') and j.state <= 'active' and j.data ->> 'job' = 'platform.deliver_event';
end $$;
grant execute on function platform.list_undelivered_event_ids() to app_system;

update platform.partitioned_tables set moved_while = 'id in (select platform.list_undelivered_event_ids())'
where parent = 'platform.outbox_events';
-- A receipt outlives its event.
update platform.partitioned_tables set moved_while = 'event_id in (select platform.list_undelivered_event_ids())'
where parent = 'platform.event_receipts';

-- Creates one missing partition and returns its name, or null if none is missing. `create table ... partition of` would lock the
-- parent exclusively; attaching a finished table locks only the default partition, while it is searched for rows of the new one.
create function platform.create_next_partition() returns text
language plpgsql security definer set search_path = '' set lock_timeout = '500ms' as $$
declare
  entry platform.partitioned_tables;
  starts timestamptz;
  first_id uuid;
  end_id uuid;
  name text;
  key text;
  is_in_default boolean;
begin
  for entry in select p.* from platform.partitioned_tables p order by p.parent loop
    key := substring(pg_get_partkeydef(entry.parent::regclass) from '\((.*)\)');
    for step in 0..entry.ahead loop
      starts := (date_trunc(entry.span, now() at time zone 'UTC') + step * ('1 ' || entry.span)::interval) at time zone 'UTC';
      name := entry.parent || to_char(starts at time zone 'UTC', case entry.span when 'day' then '_YYYYMMDD' else '_YYYYMM' end);
      continue when to_regclass(name) is not null;
      first_id := platform.id_at(starts);
      end_id := platform.id_at((starts at time zone 'UTC' + ('1 ' || entry.span)::interval) at time zone 'UTC');
      -- Rows of that time that are in the default partition already stay there.
      execute format('select exists (select from %s_default where %I >= %L and %I < %L)',
        entry.parent, key, first_id, key, end_id) into is_in_default;
      continue when is_in_default;

      execute format('create table %s (like %s including all)', name, entry.parent);
      call platform.guard_partition(name);
      execute format('alter table %s attach partition %s for values from (%L) to (%L)', entry.parent, name, first_id, end_id);
      return name;
    end loop;
  end loop;
  return null;
end $$;

-- Drops the oldest partition that ended before an instant and has no row that must be kept. Returns its name, or null. The rows
-- to move are selected before the parent is locked, because that may take long.
create function platform.drop_next_partition(target text, ended_before timestamptz) returns text
language plpgsql security definer set search_path = '' set lock_timeout = '500ms' as $$
declare
  entry platform.partitioned_tables;
  child text;
  key text;
  has_kept boolean;
  moved_ids uuid[];
  tenants uuid[];
  tenant uuid;
begin
  select p.* into strict entry from platform.partitioned_tables p where p.parent = target;
  key := substring(pg_get_partkeydef(target::regclass) from '\((.*)\)');
  for child in
    select p.name from (
      select c.oid::regclass::text as name,
        (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)'))[1]::uuid as end_id
      from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = target::regclass
    ) p
    where p.end_id <= platform.id_at(ended_before) order by p.end_id
  loop
    execute format('select exists (select from %s where %s)', child, entry.kept_while) into has_kept;
    continue when has_kept;
    execute format('select array_agg(distinct %I), array_agg(distinct tenant_id) from %s where %s', key, child, entry.moved_while)
      into moved_ids, tenants;

    execute format('alter table %s detach partition %s', target, child);
    foreach tenant in array coalesce(tenants, '{}') loop
      perform set_config('app.tenant_id', tenant::text, true);
      execute format('insert into %s select * from %s where tenant_id = $1 and %I = any ($2)', target, child, key)
        using tenant, moved_ids;
    end loop;
    perform set_config('app.tenant_id', '', true);
    execute format('drop table %s', child);
    return child;
  end loop;
  return null;
end $$;
grant execute on function platform.create_next_partition(), platform.drop_next_partition(text, timestamptz) to app_system;

-- Called by `migrate`, and by workers of the previous version until they are stopped.
create or replace function platform.ensure_partitions() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  created integer := 0;
begin
  loop
    begin
      exit when platform.create_next_partition() is null;
      created := created + 1;
    exception when lock_not_available then
      raise notice 'partitions are in use; the next hourly run creates the missing ones';
      exit;
    end;
  end loop;
  return created;
end $$;

create or replace function platform.drop_partitions(target text, ended_before timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  dropped integer := 0;
begin
  while platform.drop_next_partition(target, ended_before) is not null loop
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
