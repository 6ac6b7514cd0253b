-- Which entries have been sealed. Transaction ids order the entries, but a database restored into another server counts them
-- from the start: then a new epoch begins. One row for the whole database, which requests read and only the sealer writes.
create table platform.audit_sealing (
  is_only boolean primary key default true constraint audit_sealing_one_row check (is_only),
  epoch integer not null default 1,
  -- Every entry of the epoch below this transaction id is sealed.
  sealed_before xid8 not null default '0'
);
insert into platform.audit_sealing default values;
grant select on platform.audit_sealing to app, app_system;
grant update (epoch, sealed_before) on platform.audit_sealing to app_system;

-- No transaction can be older than what was sealed before it began, unless the count started anew.
create function platform.audit_epoch() returns integer
language sql stable set search_path = '' as $$
  select epoch + (pg_current_xact_id() < sealed_before)::integer from platform.audit_sealing
$$;
grant execute on function platform.audit_epoch() to app, app_system;

create table platform.audit_log (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  action text collate "C" not null
    constraint audit_log_action_shape check (action ~ '^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$' and length(action) <= 100),
  resource_type text collate "C" not null,
  resource_id uuid,
  resource_label text constraint audit_log_label_length check (length(resource_label) <= 200),
  user_id uuid,
  actor_type text not null constraint audit_log_actor_type_known
    check (actor_type in ('user', 'api_key', 'impersonation', 'system', 'operator', 'public')),
  actor_user_id uuid,
  api_key_id uuid,
  session_id uuid,
  ip inet,
  user_agent text constraint audit_log_user_agent_length check (length(user_agent) <= 512),
  request_id text constraint audit_log_request_id_length check (length(request_id) <= 200),
  outcome text not null default 'success' constraint audit_log_outcome_known check (outcome in ('success', 'denied')),
  reason text constraint audit_log_reason_length check (length(reason) <= 1000),
  changes jsonb constraint audit_log_changes_are_a_list check (jsonb_typeof(changes) = 'array'),
  salt bytea constraint audit_log_salt_length check (octet_length(salt) = 16),
  digest bytea not null constraint audit_log_digest_length check (octet_length(digest) = 32),
  redacted_at timestamptz,
  epoch integer not null default platform.audit_epoch(),
  xact xid8 not null default pg_current_xact_id(),
  constraint audit_log_pkey primary key (tenant_id, id),
  constraint audit_log_type_of_action check (resource_type = split_part(action, '.', 1)),
  constraint audit_log_redacted_or_salted check ((redacted_at is null) = (salt is not null)),
  constraint audit_log_redacted_is_blank check (redacted_at is null or (resource_label is null and changes is null))
) partition by range (id);

-- The newest first, under each filter.
create index audit_log_by_resource_type on platform.audit_log (tenant_id, resource_type, id desc);
create index audit_log_by_resource on platform.audit_log (tenant_id, resource_id, id desc) where resource_id is not null;
create index audit_log_by_user on platform.audit_log (tenant_id, user_id, id desc) where user_id is not null;
create index audit_log_by_actor_user on platform.audit_log (tenant_id, actor_user_id, id desc) where actor_user_id is not null;
create index audit_log_by_actor_type on platform.audit_log (tenant_id, actor_type, id desc);
create index audit_log_by_action on platform.audit_log (tenant_id, action, id desc);
-- In the order they are sealed: within a tenant, and across tenants to see who has new ones.
create index audit_log_by_xact on platform.audit_log (tenant_id, epoch, xact, id);
create index audit_log_to_seal on platform.audit_log (epoch, xact) include (tenant_id);

call platform.isolate_by_tenant('platform.audit_log');
call platform.keep_as_written('platform.audit_log');
call platform.partition_by_id('platform.audit_log', 'month', 3);
-- The sealer looks across tenants before it enters one of them.
create policy sealing on platform.audit_log for select to app_system using (platform.current_tenant_id() is null);

-- A link of a tenant's chain: it covers the entries of one epoch with from_xact <= xact < to_xact.
create table platform.audit_seals (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz not null default now(),
  epoch integer not null,
  from_xact xid8 not null,
  to_xact xid8 not null,
  count integer not null constraint audit_seals_count_positive check (count > 0),
  prev_hash bytea not null constraint audit_seals_prev_hash_length check (octet_length(prev_hash) = 32),
  hash bytea not null constraint audit_seals_hash_length check (octet_length(hash) = 32),
  constraint audit_seals_pkey primary key (tenant_id, id),
  constraint audit_seals_one_chain unique (tenant_id, epoch, from_xact),
  constraint audit_seals_forward check (from_xact < to_xact)
);
call platform.isolate_by_tenant('platform.audit_seals');
call platform.keep_as_written('platform.audit_seals');
revoke insert on platform.audit_seals from app;

-- Blanks what entries say about erased records. Their digests stay, so the chain still holds.
create function platform.redact_audit(of_type text, ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  redacted integer;
begin
  update platform.audit_log
  set resource_label = null, changes = null, salt = null, redacted_at = now()
  where tenant_id = platform.current_tenant_id() and resource_type = of_type and resource_id = any(ids)
    and redacted_at is null;
  get diagnostics redacted = row_count;
  return redacted;
end $$;
grant execute on function platform.redact_audit(text, uuid[]) to app_system;
