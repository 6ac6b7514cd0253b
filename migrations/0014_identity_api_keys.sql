create table identity.connected_apps (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint connected_apps_name_length check (length(name) between 1 and 80),
  name_key text not null generated always as (lower(name)) stored,
  description text,
  vendor_url text,
  ip_allowlist cidr[] not null default '{}' constraint connected_apps_allowlist_size check (cardinality(ip_allowlist) <= 50),
  status text not null default 'active' constraint connected_apps_status_known check (status in ('active', 'disabled')),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint connected_apps_name_unique unique (tenant_id, name_key),
  constraint connected_apps_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by)
);
create index connected_apps_by_creator on identity.connected_apps (tenant_id, created_by);
create trigger count_version before update on identity.connected_apps for each row execute function platform.count_version();
call platform.isolate_by_tenant('identity.connected_apps');

create table identity.api_keys (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint api_keys_name_length check (length(name) between 1 and 80),
  key_prefix text not null,
  last_four text not null,
  key_hash bytea not null,
  scopes text[] not null constraint api_keys_scopes_size check (cardinality(scopes) between 1 and 117),
  preset text constraint api_keys_preset_known check (preset in ('read_only')),
  connected_app_id uuid,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet,
  created_by uuid not null,
  rotated_from_id uuid,
  revoked_at timestamptz,
  revoke_reason text,
  revoked_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint api_keys_hash_unique unique (tenant_id, key_hash),
  constraint api_keys_creator_exists foreign key (tenant_id, created_by) references identity.users on delete cascade,
  constraint api_keys_app_exists foreign key (tenant_id, connected_app_id) references identity.connected_apps,
  constraint api_keys_ancestor_exists foreign key (tenant_id, rotated_from_id) references identity.api_keys on delete set null (rotated_from_id),
  constraint api_keys_revoker_exists foreign key (tenant_id, revoked_by) references identity.users on delete set null (revoked_by)
);
create index api_keys_by_creator on identity.api_keys (tenant_id, created_by);
create index api_keys_by_app on identity.api_keys (tenant_id, connected_app_id);
create index api_keys_by_ancestor on identity.api_keys (tenant_id, rotated_from_id);
create index api_keys_by_revoker on identity.api_keys (tenant_id, revoked_by);
create index api_keys_by_expiry on identity.api_keys (expires_at) where revoked_at is null;
call platform.isolate_by_tenant('identity.api_keys');

-- Everything the gate must know of a request, in one call under the rights of the application role: which tenant the host
-- names, and who the credential is in that tenant. A session or key of another tenant is simply not there.
create function identity.auth_context(host_slug text, session uuid, key_digest bytea, at timestamptz)
returns table (
  tenant_id uuid, tenant_slug text, tenant_name text, tenant_status text,
  user_id uuid, user_status text, user_role text, must_verify_email boolean, must_change_password boolean,
  session_id uuid, session_kind text, authenticated_at timestamptz, session_state text, actor_user_id uuid,
  key_id uuid, key_scopes text[], key_preset text, key_state text, key_is_unused boolean, app_status text, app_allowlist text[]
)
language plpgsql as $$
declare
  tenant record;
begin
  select t.id, t.slug, t.name, t.status into tenant from identity.tenants t where t.slug = host_slug;
  if not found then return; end if;
  perform set_config('app.tenant_id', tenant.id::text, true);

  if session is not null then
    return query
      select tenant.id, tenant.slug, tenant.name, tenant.status,
        u.id, u.status, u.role,
        -- Only whoever signed up by themselves has to prove the address first, and only where the workspace wants it.
        case when u.source <> 'signup' or u.email_verified_at is not null then false
          else coalesce((select (d.doc->>'require_verified_email')::boolean from identity.tenant_settings d where d.section = 'signup'), true)
        end,
        u.must_change_password,
        s.id, s.kind, s.authenticated_at,
        case
          when s.revoked_at is not null or p.revoked_at is not null then 'revoked'
          when s.kind = 'impersonation' and (p.id is null or a.status <> 'active' or a.role <> 'admin') then 'revoked'
          when least(s.expires_at, s.idle_expires_at, p.expires_at) <= at then 'expired'
          else 'live'
        end,
        s.actor_user_id, null::uuid, null::text[], null::text, null::text, null::boolean, null::text, null::text[]
      from identity.sessions s
      join identity.users u on u.tenant_id = s.tenant_id and u.id = s.user_id
      left join identity.sessions p on p.tenant_id = s.tenant_id and p.id = s.parent_session_id
      left join identity.users a on a.tenant_id = s.tenant_id and a.id = s.actor_user_id
      where s.id = session;
  elsif key_digest is not null then
    return query
      select tenant.id, tenant.slug, tenant.name, tenant.status,
        u.id, u.status, u.role, false, false,
        null::uuid, null::text, null::timestamptz, null::text, null::uuid,
        k.id, k.scopes, k.preset,
        case when k.revoked_at is not null then 'revoked' when k.expires_at <= at then 'expired' else 'live' end,
        k.last_used_at is null, c.status, c.ip_allowlist::text[]
      from identity.api_keys k
      join identity.users u on u.tenant_id = k.tenant_id and u.id = k.created_by
      left join identity.connected_apps c on c.tenant_id = k.tenant_id and c.id = k.connected_app_id
      where k.key_hash = key_digest;
  end if;
  if not found or num_nonnulls(session, key_digest) = 0 then
    return query select tenant.id, tenant.slug, tenant.name, tenant.status,
      null::uuid, null::text, null::text, null::boolean, null::boolean,
      null::uuid, null::text, null::timestamptz, null::text, null::uuid,
      null::uuid, null::text[], null::text, null::text, null::boolean, null::text, null::text[];
  end if;
end $$;
grant execute on function identity.auth_context to app;
