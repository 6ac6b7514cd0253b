create table identity.sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null default 'user' constraint sessions_kind_known check (kind in ('user', 'impersonation')),
  auth_method text not null
    constraint sessions_auth_method_known check (auth_method in ('password', 'google', 'okta', 'signup', 'impersonation')),
  authenticated_at timestamptz not null,
  ip inet not null,
  user_agent text constraint sessions_user_agent_length check (length(user_agent) <= 512),
  last_seen_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text,
  parent_session_id uuid,
  actor_user_id uuid,
  -- Why an admin acts as this user.
  reason text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint sessions_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade,
  constraint sessions_parent_exists foreign key (tenant_id, parent_session_id) references identity.sessions on delete cascade,
  constraint sessions_actor_exists foreign key (tenant_id, actor_user_id) references identity.users on delete cascade,
  constraint sessions_impersonations_have_a_parent
    check ((kind = 'impersonation') = (parent_session_id is not null and actor_user_id is not null))
);
create index sessions_live_by_user on identity.sessions (tenant_id, user_id) where revoked_at is null;
create index sessions_live_by_last_seen on identity.sessions (tenant_id, last_seen_at desc) where revoked_at is null;
create index sessions_by_parent on identity.sessions (tenant_id, parent_session_id) where parent_session_id is not null;
create index sessions_by_actor on identity.sessions (tenant_id, actor_user_id) where actor_user_id is not null;
create index sessions_by_expiry on identity.sessions (expires_at);
call platform.isolate_by_tenant('identity.sessions');

-- No token text and no hash: possession is proven by the signature.
create table identity.refresh_tokens (
  tenant_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  seq integer not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  rotated_at timestamptz,
  signing_kid text not null,
  primary key (tenant_id, id),
  constraint refresh_tokens_seq_unique unique (tenant_id, session_id, seq),
  constraint refresh_tokens_session_exists foreign key (tenant_id, session_id) references identity.sessions on delete cascade
);
call platform.isolate_by_tenant('identity.refresh_tokens');

create table identity.one_time_tokens (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null
    constraint one_time_tokens_kind_known check (kind in ('password_reset', 'invite', 'email_verify', 'sso_handoff')),
  user_id uuid not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  meta jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint one_time_tokens_hash_unique unique (tenant_id, token_hash),
  constraint one_time_tokens_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
create index one_time_tokens_open on identity.one_time_tokens (tenant_id, user_id, kind) where used_at is null;
call platform.isolate_by_tenant('identity.one_time_tokens');

create table identity.login_events (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid,
  email_hash bytea not null,
  outcome text not null constraint login_events_outcome_known check (outcome in ('success', 'failure')),
  reason text,
  method text not null,
  ip inet not null,
  user_agent text,
  session_id uuid,
  actor_user_id uuid,
  primary key (tenant_id, id)
) partition by range (id);
create index login_events_by_user on identity.login_events (tenant_id, user_id, id desc);
call platform.isolate_by_tenant('identity.login_events');
call platform.keep_as_written('identity.login_events');
call platform.partition_by_id('identity.login_events', 'month', 3);

-- Nobody can be recognised in the sign-ins of an erased user any more. That they happened stays written.
create function identity.forget_sign_ins(of_user uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  forgotten integer;
begin
  update identity.login_events set email_hash = '', ip = '0.0.0.0', user_agent = null
  where tenant_id = platform.current_tenant_id() and user_id = of_user;
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
grant execute on function identity.forget_sign_ins(uuid) to app;

-- Counts failed sign-ins. In PostgreSQL, so that losing Redis does not reset them; a bucket is a hash and tells nothing.
create unlogged table identity.auth_throttles (
  bucket bytea primary key,
  count integer not null,
  -- Attempts whose password is being checked right now: they may all fail, so they must fit below the limit too.
  pending integer not null default 0,
  window_ends_at timestamptz not null
);
create index auth_throttles_by_end on identity.auth_throttles (window_ends_at);
grant select, insert, update, delete on identity.auth_throttles to app, app_system;
