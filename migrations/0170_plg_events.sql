create schema plg;
grant usage on schema plg to app, app_system, app_search, app_retention;
grant select on platform.partitioned_tables to app_system;

-- One number per batch; the position of an event in its batch is added to it.
create sequence plg.ingest_seq increment by 1024 start with 1024;
grant usage on sequence plg.ingest_seq to app, app_system;

-- Says which roll-ups are read. While a rebuild runs, ingest also writes those of the next generation.
create table plg.states (
  tenant_id uuid not null,
  generation integer not null default 1,
  timezone text collate "C" not null,
  inactive_events text[] not null default '{}',
  next_generation integer,
  next_timezone text collate "C",
  next_inactive_events text[],
  -- Events up to this number are added to the next generation by the rebuild, later ones by ingest.
  rebuild_until_seq bigint,
  -- The last event that the rebuild has added.
  rebuilt_at timestamptz(3) not null default '-infinity',
  rebuilt_id text collate "C" not null default '',
  rebuild_failed boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint states_pkey primary key (tenant_id),
  constraint states_next_complete check ((next_generation is null) = (next_timezone is null)
    and (next_generation is null) = (next_inactive_events is null) and (next_generation is null) = (rebuild_until_seq is null))
);
call platform.isolate_by_tenant('plg.states');
grant select (tenant_id) on plg.states to app_retention;
create policy maintenance_select on plg.states for select to app_retention using (platform.current_tenant_id() is null);

-- People and accounts of the customer's product.
create table plg.actors (
  tenant_id uuid not null,
  id uuid not null,
  is_account boolean not null,
  ref text collate "C" not null constraint actors_ref_length check (length(ref) between 1 and 200),
  name text constraint actors_name_length check (length(name) between 1 and 200),
  email text constraint actors_email_length check (length(email) between 3 and 254),
  email_key text generated always as (lower(email)) stored,
  domain text collate "C" constraint actors_domain_length check (length(domain) between 3 and 253),
  -- Time of the event that the traits come from.
  traits_at timestamptz(3),
  -- The product account in which the person was seen last.
  account_actor_id uuid,
  account_actor_at timestamptz(3),
  contact_id uuid,
  lead_id uuid,
  account_id uuid,
  link_method text collate "C" constraint actors_link_method_known check (link_method in ('email', 'domain', 'manual', 'pql')),
  link_locked boolean not null default false,
  is_linked boolean not null generated always as
    (case when is_account then account_id is not null else contact_id is not null or lead_id is not null end) stored,
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  erased_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint actors_pkey primary key (tenant_id, id),
  constraint actors_ref_unique unique (tenant_id, is_account, ref),
  constraint actors_person_fields check (not is_account or (email is null and account_actor_id is null and contact_id is null and lead_id is null)),
  constraint actors_account_exists foreign key (tenant_id, account_actor_id) references plg.actors
    on delete set null (account_actor_id) deferrable initially immediate,
  constraint actors_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete set null (contact_id),
  constraint actors_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete set null (lead_id),
  constraint actors_crm_account_exists foreign key (tenant_id, account_id) references crm.accounts on delete set null (account_id)
) with (fillfactor = 85);
create index actors_by_last_seen on plg.actors (tenant_id, is_account, is_linked, last_seen_at desc, id desc) where erased_at is null;
create index actors_by_email on plg.actors (tenant_id, email_key) where email_key is not null;
create index actors_by_domain on plg.actors (tenant_id, domain) where domain is not null;
create index actors_by_account on plg.actors (tenant_id, account_actor_id) where account_actor_id is not null;
create index actors_by_contact on plg.actors (tenant_id, contact_id) where contact_id is not null;
create index actors_by_lead on plg.actors (tenant_id, lead_id) where lead_id is not null;
create index actors_by_crm_account on plg.actors (tenant_id, account_id) where account_id is not null;
create trigger count_version before update of name, email, domain, contact_id, lead_id, account_id, link_method, link_locked, erased_at
  on plg.actors for each row execute function platform.count_version();
create trigger touch before update of last_seen_at, first_seen_at, account_actor_id
  on plg.actors for each row execute function platform.touch();
call platform.isolate_by_tenant('plg.actors');

-- A table of its own, because its index would be updated whenever an actor is seen.
create table plg.actor_texts (
  tenant_id uuid not null,
  actor_id uuid not null,
  search_text text not null,
  constraint actor_texts_pkey primary key (tenant_id, actor_id),
  constraint actor_texts_actor_exists foreign key (tenant_id, actor_id) references plg.actors on delete cascade
);
create index actor_texts_by_text on plg.actor_texts using gin (tenant_id, search_text gin_trgm_ops);
call platform.isolate_by_tenant('plg.actor_texts');
create policy search on plg.actor_texts for select to app_search using (true);
grant select on plg.actor_texts to app_search;
-- LIKE is not leakproof: under row-level security it would read every text of the tenant.
create function plg.search_actors(words text[], cap integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan
as $$
declare
  patterns text[] := crm.search_patterns(words);
  -- An index cannot be searched with LIKE ALL.
  longest text := (select pattern from unnest(patterns) as pattern order by length(pattern) desc limit 1);
begin
  return query
    select found.actor_id from plg.actor_texts found
    where found.tenant_id = platform.current_tenant_id() and found.search_text like longest and found.search_text like all (patterns)
    limit cap;
end $$;
grant create on schema plg to app_search;
alter function plg.search_actors owner to app_search;
revoke create on schema plg from app_search;
grant execute on function plg.search_actors to app;

create table plg.events (
  tenant_id uuid not null,
  event_id text collate "C" not null,
  ingest_seq bigint not null,
  name text collate "C" not null,
  person_actor_id uuid,
  account_actor_id uuid,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  properties jsonb,
  constraint events_pkey primary key (tenant_id, occurred_at, event_id)
) partition by range (occurred_at);
create index events_by_name on plg.events (tenant_id, name, occurred_at) include (person_actor_id, account_actor_id, ingest_seq);
create index events_by_person on plg.events (tenant_id, person_actor_id, occurred_at desc) where person_actor_id is not null;
create index events_by_account on plg.events (tenant_id, account_actor_id, occurred_at desc) where account_actor_id is not null;
call platform.isolate_by_tenant('plg.events');
-- Partitions with rows are kept.
call platform.partition_by_time('plg.events', 'month', ahead => 2, behind => 25, kept_while => 'true');

-- Finds an event that is sent again, also if its time was corrected differently.
create table plg.event_keys (
  tenant_id uuid not null,
  event_id text collate "C" not null,
  received_at timestamptz(3) not null,
  constraint event_keys_pkey primary key (tenant_id, event_id)
);
create index event_keys_by_time on plg.event_keys (tenant_id, received_at);
call platform.isolate_by_tenant('plg.event_keys');

create table plg.event_names (
  tenant_id uuid not null,
  name text collate "C" not null,
  first_seen_at timestamptz not null,
  constraint event_names_pkey primary key (tenant_id, name)
);
call platform.isolate_by_tenant('plg.event_names');

create table plg.usage_months (
  tenant_id uuid not null,
  month_on date not null,
  shard smallint not null,
  accepted bigint not null,
  constraint usage_months_pkey primary key (tenant_id, month_on, shard)
) with (fillfactor = 50);
call platform.isolate_by_tenant('plg.usage_months');

-- Actors to link and to evaluate. Rows are only added and deleted, so that batches do not wait for each other.
create table plg.actor_marks (
  tenant_id uuid not null,
  actor_id uuid not null,
  ingest_seq bigint not null,
  active_on date[] not null default '{}',
  constraint actor_marks_pkey primary key (tenant_id, actor_id, ingest_seq)
);
call platform.isolate_by_tenant('plg.actor_marks');
call platform.open_to_system('plg.actor_marks');
