-- As before, and whether the workspace is in maintenance. The previous version names its columns, so it can use this function too.
drop function identity.auth_context(text, uuid, bytea, timestamptz);
create function identity.auth_context(host_slug text, session uuid, key_digest bytea, at timestamptz)
returns table (
  tenant_id uuid, tenant_slug text, tenant_name text, tenant_status text,
  user_id uuid, user_status text, user_role text, must_verify_email boolean, must_change_password boolean,
  session_id uuid, session_kind text, authenticated_at timestamptz, session_state text, actor_user_id uuid,
  key_id uuid, key_scopes text[], key_preset text, key_state text, key_is_unused boolean, app_status text, app_allowlist text[],
  key_requests_per_minute integer, tenant_in_maintenance boolean
)
language plpgsql as $$
declare
  tenant record;
begin
  select t.id, t.slug, t.name, t.status, t.maintenance is not null as in_maintenance into tenant from identity.tenants t where t.slug = host_slug;
  if not found then return; end if;
  perform set_config('app.tenant_id', tenant.id::text, true);

  if session is not null then
    return query
      select tenant.id, tenant.slug, tenant.name, tenant.status,
        u.id, u.status, u.role,
        -- Only users who signed up themselves must verify their email address, if the workspace requires it.
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
        s.actor_user_id, null::uuid, null::text[], null::text, null::text, null::boolean, null::text, null::text[],
        null::integer, tenant.in_maintenance
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
        k.last_used_at is null, c.status, c.ip_allowlist::text[], k.requests_per_minute, tenant.in_maintenance
      from identity.api_keys k
      join identity.users u on u.tenant_id = k.tenant_id and u.id = k.created_by
      left join identity.connected_apps c on c.tenant_id = k.tenant_id and c.id = k.connected_app_id
      where k.key_hash = key_digest;
  end if;
  if not found or num_nonnulls(session, key_digest) = 0 then
    return query select tenant.id, tenant.slug, tenant.name, tenant.status,
      null::uuid, null::text, null::text, null::boolean, null::boolean,
      null::uuid, null::text, null::timestamptz, null::text, null::uuid,
      null::uuid, null::text[], null::text, null::text, null::boolean, null::text, null::text[], null::integer,
      tenant.in_maintenance;
  end if;
end $$;
grant execute on function identity.auth_context to app;
