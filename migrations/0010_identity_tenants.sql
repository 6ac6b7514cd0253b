create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create schema identity;
grant usage on schema identity to app, app_system, app_search, app_retention;

-- Every request finds its tenant here by slug, so the application role may read all rows; there is nothing secret in them.
create table identity.tenants (
  id uuid primary key,
  slug text not null
    constraint tenants_slug_well_formed check (slug ~ '^[a-z][a-z0-9-]*[a-z0-9]$' and slug !~ '--' and length(slug) between 3 and 40),
  name text not null constraint tenants_name_length check (length(name) between 1 and 120),
  status text not null default 'active' constraint tenants_status_known check (status in ('active', 'suspended', 'deleting')),
  status_reason text,
  -- Why writes are held at the moment, if they are.
  maintenance text,
  delete_after timestamptz,
  region text,
  -- What only the operator may set: monthly_event_limit, storage_quota_bytes.
  limits jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint tenants_slug_unique unique (slug),
  constraint tenants_deleting_have_a_day check ((status = 'deleting') = (delete_after is not null))
);
create trigger count_version before update on identity.tenants for each row execute function platform.count_version();
alter table identity.tenants enable row level security, force row level security;
create policy open_to_read on identity.tenants for select to app using (true);
create policy own_row on identity.tenants for update to app
  using (id = platform.current_tenant_id()) with check (id = platform.current_tenant_id());
create policy system_access on identity.tenants to app_system using (true) with check (true);
-- The name can be changed in the settings of the workspace; everything else about it is the operator's.
grant select, update (name, maintenance) on identity.tenants to app;
grant select, insert, update, delete on identity.tenants to app_system;

-- A released slug stays blocked for a while, so that nobody inherits another workspace's links.
create table identity.tenant_slug_tombstones (
  slug text primary key,
  released_tenant uuid not null,
  released_at timestamptz not null default now(),
  blocked_until timestamptz not null
);
grant select, insert, update, delete on identity.tenant_slug_tombstones to app_system;

create table identity.tenant_settings (
  tenant_id uuid not null,
  section text not null,
  doc jsonb not null,
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (tenant_id, section)
);
create trigger count_version before update on identity.tenant_settings for each row execute function platform.count_version();
call platform.isolate_by_tenant('identity.tenant_settings');

create table identity.tenant_secrets (
  tenant_id uuid not null,
  name text not null,
  ciphertext bytea not null,
  kid text not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, name)
);
create trigger touch before update on identity.tenant_secrets for each row execute function platform.touch();
call platform.isolate_by_tenant('identity.tenant_secrets');

-- What operators did, kept when the workspace it was done to is gone.
create table identity.operator_audit (
  id uuid primary key,
  operator text not null,
  command text not null,
  args jsonb not null,
  target_tenant uuid,
  outcome text not null,
  created_at timestamptz not null default now()
);
grant select, insert on identity.operator_audit to app_system;
