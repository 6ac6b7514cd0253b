-- Tables whose rows carry the time of an event in the past, such as usage data, are partitioned by that time instead of by id. They
-- have no default partition: every query by time would read it too, and creating a partition would search it under a lock.

alter table platform.partitioned_tables
  add column key_type text not null default 'id' constraint partitioned_tables_key_type_known check (key_type in ('id', 'time')),
  -- Spans before the current one that have partitions too.
  add column behind integer not null default 0 constraint partitioned_tables_behind_positive check (behind >= 0),
  -- Partitions that ended before were dropped and are not created again, except on demand.
  add column dropped_before timestamptz not null default '-infinity';

create procedure platform.partition_by_time(parent regclass, span text, ahead integer, behind integer default 0, kept_while text default 'false')
language plpgsql as $$
declare
  key_type text;
begin
  select a.atttypid::regtype::text into key_type
  from pg_catalog.pg_partitioned_table p join pg_catalog.pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = parent and p.partstrat = 'r' and p.partnatts = 1;
  if key_type is distinct from 'timestamp with time zone' then
    raise exception '% must be partitioned by range of one timestamptz column', parent;
  end if;
  insert into platform.partitioned_tables (parent, span, ahead, kept_while, key_type, behind)
  values (parent::text, span, ahead, kept_while, 'time', behind);
end $$;

create function platform.partition_name(parent text, span text, starts timestamptz) returns text
  language sql immutable set search_path = ''
  return parent || to_char(starts at time zone 'UTC', case span when 'day' then '_YYYYMMDD' else '_YYYYMM' end);

-- Attaches a finished table, because `create table ... partition of` would lock the parent exclusively.
create procedure platform.attach_partition(parent text, name text, lower_bound text, upper_bound text)
language plpgsql set search_path = '' as $$
begin
  execute format('create table %s (like %s including all)', name, parent);
  call platform.guard_partition(name);
  execute format('alter table %s attach partition %s for values from (%L) to (%L)', parent, name, lower_bound, upper_bound);
end $$;
revoke execute on function platform.partition_name(text, text, timestamptz) from public;
revoke execute on procedure platform.attach_partition(text, text, text, text) from public;

create or replace function platform.create_next_partition() returns text
language plpgsql security definer set search_path = '' set lock_timeout = '500ms' set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
  entry platform.partitioned_tables;
  starts timestamptz;
  ends timestamptz;
  name text;
  key text;
  is_in_default boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('platform.partitions', 0));
  for entry in select p.* from platform.partitioned_tables p order by p.parent loop
    key := substring(pg_get_partkeydef(entry.parent::regclass) from '\((.*)\)');
    for step in -entry.behind..entry.ahead loop
      starts := date_trunc(entry.span, now()) + step * ('1 ' || entry.span)::interval;
      ends := starts + ('1 ' || entry.span)::interval;
      name := platform.partition_name(entry.parent, entry.span, starts);
      continue when to_regclass(name) is not null or ends <= entry.dropped_before;
      if entry.key_type = 'time' then
        call platform.attach_partition(entry.parent, name, starts::text, ends::text);
        return name;
      end if;
      -- Rows of that time that are in the default partition already stay there.
      execute format('select exists (select from %s_default where %I >= %L and %I < %L)',
        entry.parent, key, platform.id_at(starts), key, platform.id_at(ends)) into is_in_default;
      continue when is_in_default;
      call platform.attach_partition(entry.parent, name, platform.id_at(starts)::text, platform.id_at(ends)::text);
      return name;
    end loop;
  end loop;
  return null;
end $$;

-- Creates the earliest missing partition between two instants and returns its name, or null if none is missing.
create function platform.create_partition_between(target text, since timestamptz, until timestamptz) returns text
language plpgsql security definer set search_path = '' set lock_timeout = '500ms' set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
  entry platform.partitioned_tables;
  starts timestamptz;
  ends timestamptz;
  name text;
begin
  select p.* into strict entry from platform.partitioned_tables p where p.parent = target and p.key_type = 'time';
  if since < '1970-01-01' or until > now() + interval '10 years' then
    raise exception 'partitions of % must be between 1970 and 10 years from now', target using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('platform.partitions', 0));
  starts := date_trunc(entry.span, since);
  while starts <= until loop
    ends := starts + ('1 ' || entry.span)::interval;
    name := platform.partition_name(target, entry.span, starts);
    if to_regclass(name) is null then
      call platform.attach_partition(target, name, starts::text, ends::text);
      return name;
    end if;
    starts := ends;
  end loop;
  return null;
end $$;

create or replace function platform.drop_next_partition(target text, ended_before timestamptz) returns text
language plpgsql security definer set search_path = '' set lock_timeout = '500ms' set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
  entry platform.partitioned_tables;
  child record;
  key text;
  has_kept boolean;
  moved_ids uuid[];
  tenants uuid[];
  tenant uuid;
begin
  select p.* into strict entry from platform.partitioned_tables p where p.parent = target;
  key := substring(pg_get_partkeydef(target::regclass) from '\((.*)\)');
  for child in
    select p.name, p.ends from (
      select c.oid::regclass::text as name,
        (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)'))[1] as ends
      from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = target::regclass
    ) p
    where case entry.key_type when 'time' then p.ends::timestamptz <= ended_before else p.ends::uuid <= platform.id_at(ended_before) end
    order by p.ends
  loop
    execute format('select exists (select from %s where %s)', child.name, entry.kept_while) into has_kept;
    continue when has_kept;
    if entry.key_type = 'id' then
      execute format('select array_agg(distinct %I), array_agg(distinct tenant_id) from %s where %s', key, child.name, entry.moved_while)
        into moved_ids, tenants;
    end if;

    execute format('alter table %s detach partition %s', target, child.name);
    foreach tenant in array coalesce(tenants, '{}') loop
      perform set_config('app.tenant_id', tenant::text, true);
      execute format('insert into %s select * from %s where tenant_id = $1 and %I = any ($2)', target, child.name, key)
        using tenant, moved_ids;
    end loop;
    perform set_config('app.tenant_id', '', true);
    execute format('drop table %s', child.name);
    if entry.key_type = 'time' then
      update platform.partitioned_tables p set dropped_before = greatest(p.dropped_before, child.ends::timestamptz) where p.parent = target;
    end if;
    return child.name;
  end loop;
  return null;
end $$;
grant execute on function platform.create_partition_between(text, timestamptz, timestamptz) to app_system;
