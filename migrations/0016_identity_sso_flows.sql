-- A sign-on under way at a provider: what was sent along and must come back, and which browser it began in.
create table identity.sso_flows (
  tenant_id uuid not null,
  id uuid not null,
  provider text not null constraint sso_flows_provider_known check (provider in ('google', 'okta')),
  nonce text not null,
  code_verifier text not null,
  -- SHA-256 of a secret that only the browser keeps.
  browser_hash bytea not null,
  return_to text not null constraint sso_flows_return_to_length check (length(return_to) <= 512),
  intent text not null constraint sso_flows_intent_known check (intent in ('login', 'reauthenticate')),
  -- The session it opened; none when it renewed one that was there.
  session_id uuid,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint sso_flows_session_exists foreign key (tenant_id, session_id)
    references identity.sessions on delete set null (session_id)
);
create index sso_flows_by_session on identity.sso_flows (tenant_id, session_id) where session_id is not null;
call platform.isolate_by_tenant('identity.sso_flows');
