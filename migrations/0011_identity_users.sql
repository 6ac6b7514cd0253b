create table identity.users (
  tenant_id uuid not null,
  id uuid not null,
  email text not null constraint users_email_length check (length(email) between 3 and 254),
  email_key text not null generated always as (lower(email)) stored,
  name text not null constraint users_name_length check (length(name) between 1 and 120),
  name_key text not null generated always as (lower(name)) stored,
  role text not null default 'member' constraint users_role_known check (role in ('admin', 'manager', 'member', 'viewer')),
  status text not null constraint users_status_known check (status in ('invited', 'active', 'deactivated', 'erased')),
  title text constraint users_title_length check (length(title) <= 120),
  phone text constraint users_phone_length check (length(phone) <= 40),
  avatar_url text constraint users_avatar_url_length check (length(avatar_url) <= 2048),
  timezone text not null default 'UTC',
  locale text not null default 'en',
  manager_id uuid,
  forecast_participant boolean not null,
  quarterly_quota_minor bigint constraint users_quota_not_negative check (quarterly_quota_minor >= 0),
  email_verified_at timestamptz,
  must_change_password boolean not null default false,
  deactivated_at timestamptz,
  source text not null constraint users_source_known check (source in ('cli', 'admin', 'signup', 'google', 'okta', 'sample')),
  notify_new_device boolean not null default true,
  notification_preferences jsonb not null default '{}',
  -- Name and address without case and accents; written by whoever changes them.
  search_text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint users_email_unique unique (tenant_id, email_key),
  constraint users_manager_exists foreign key (tenant_id, manager_id) references identity.users
);
create index users_by_name on identity.users (tenant_id, name_key, id);
create index users_by_manager on identity.users (tenant_id, manager_id, name_key, id);
create index users_active_by_role on identity.users (tenant_id, role) where status = 'active';
create index users_by_role on identity.users (tenant_id, role, name_key, id);
create index users_by_status on identity.users (tenant_id, status, name_key, id);
create index users_in_forecast on identity.users (tenant_id, name_key, id) where status = 'active' and forecast_participant;
create index users_by_text on identity.users using gin (tenant_id, search_text gin_trgm_ops);
create trigger count_version before update on identity.users for each row execute function platform.count_version();
call platform.isolate_by_tenant('identity.users');

-- LIKE is not leakproof: under row-level security it would read every user of the tenant. This runs as app_search, to which
-- all rows are open, and therefore names the tenant itself; it gives away ids only. Words come longest first: the index
-- finds the first one, the others sift what it found. Planned for each term, since a plan for any term would not count on the index.
create policy search on identity.users for select to app_search using (true);
grant select (tenant_id, id, search_text) on identity.users to app_search;
create function identity.search_users(words text[], cap integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  patterns text[] := array(select '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%' from unnest(words) as word);
begin
  return query
    select id from identity.users
    where tenant_id = platform.current_tenant_id() and search_text like patterns[1] and search_text like all (patterns[2:])
    limit cap;
end $$;
grant create on schema identity to app_search;
alter function identity.search_users owner to app_search;
revoke create on schema identity from app_search;
grant execute on function identity.search_users to app;

-- Apart from the user, so that no query about people can return a hash.
create table identity.user_credentials (
  tenant_id uuid not null,
  user_id uuid not null,
  password_hash text,
  password_changed_at timestamptz,
  -- An admin gave it out; it opens nothing but the change of password, and not for long.
  temporary boolean not null default false,
  temporary_expires_at timestamptz,
  primary key (tenant_id, user_id),
  constraint user_credentials_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
call platform.isolate_by_tenant('identity.user_credentials');

-- Apart from the user, so that presence touches neither its version nor its indexes.
create table identity.user_presence (
  tenant_id uuid not null,
  user_id uuid not null,
  last_login_at timestamptz,
  last_seen_at timestamptz,
  primary key (tenant_id, user_id),
  constraint user_presence_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
call platform.isolate_by_tenant('identity.user_presence');

create table identity.user_identities (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  provider text not null constraint user_identities_provider_known check (provider in ('google', 'okta')),
  issuer text not null,
  subject text not null,
  email text not null,
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint user_identities_subject_unique unique (tenant_id, provider, issuer, subject),
  constraint user_identities_one_per_issuer unique (tenant_id, user_id, provider, issuer),
  constraint user_identities_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
call platform.isolate_by_tenant('identity.user_identities');
