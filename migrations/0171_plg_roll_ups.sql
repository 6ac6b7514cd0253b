-- Numbers per local day, written in the transaction that stores the events. Rows that many batches change are split by `shard`.
create table plg.event_days (
  tenant_id uuid not null,
  generation integer not null,
  day date not null,
  name text collate "C" not null,
  shard smallint not null,
  events bigint not null,
  constraint event_days_pkey primary key (tenant_id, generation, day, name, shard)
) with (fillfactor = 70);
create index event_days_by_name on plg.event_days (tenant_id, generation, name, day);
call platform.isolate_by_tenant('plg.event_days');

-- Days on which an actor was active. A row that is new also changes the three tables below.
create table plg.actor_days (
  tenant_id uuid not null,
  generation integer not null,
  day date not null,
  actor_id uuid not null,
  is_account boolean not null,
  constraint actor_days_pkey primary key (tenant_id, generation, day, actor_id)
);
call platform.isolate_by_tenant('plg.actor_days');

create table plg.active_days (
  tenant_id uuid not null,
  generation integer not null,
  is_account boolean not null,
  day date not null,
  shard smallint not null,
  actors bigint not null,
  constraint active_days_pkey primary key (tenant_id, generation, is_account, day, shard)
) with (fillfactor = 70);
call platform.isolate_by_tenant('plg.active_days');

-- One bit per active day of the month; the lowest bit is the first day.
create table plg.actor_periods (
  tenant_id uuid not null,
  generation integer not null,
  is_account boolean not null,
  month_on date not null,
  actor_id uuid not null,
  days integer not null constraint actor_periods_days_known check (days > 0),
  constraint actor_periods_pkey primary key (tenant_id, generation, is_account, month_on, actor_id) include (days)
) with (fillfactor = 85);
call platform.isolate_by_tenant('plg.actor_periods');

create table plg.first_days (
  tenant_id uuid not null,
  generation integer not null,
  is_account boolean not null,
  actor_id uuid not null,
  first_active_on date not null,
  constraint first_days_pkey primary key (tenant_id, generation, actor_id)
);
create index first_days_by_day on plg.first_days (tenant_id, generation, is_account, first_active_on, actor_id);
call platform.isolate_by_tenant('plg.first_days');

create table plg.actor_event_days (
  tenant_id uuid not null,
  generation integer not null,
  actor_id uuid not null,
  name text collate "C" not null,
  day date not null,
  shard smallint not null,
  is_account boolean not null,
  events integer not null,
  constraint actor_event_days_pkey primary key (tenant_id, generation, actor_id, name, day, shard)
) with (fillfactor = 85);
create index actor_event_days_by_name on plg.actor_event_days (tenant_id, generation, is_account, name, day, actor_id);
call platform.isolate_by_tenant('plg.actor_event_days');
