-- The answers of requests that came with a key, for a day. A key is claimed before the request runs, and its answer is written in
-- the transaction of the change: a row without an answer and with a dead lease belongs to a request that changed nothing.
create table platform.idempotency_keys (
  tenant_id uuid not null,
  caller_id uuid not null,
  route text not null constraint idempotency_keys_route_length check (length(route) between 1 and 300),
  key text not null constraint idempotency_keys_key_length check (length(key) between 1 and 255),
  -- Who holds the key now. A request whose key was taken over no longer finds its claim here, and cannot finish.
  claim_id uuid not null,
  request_hash bytea not null constraint idempotency_keys_hash_length check (octet_length(request_hash) = 32),
  created_at timestamptz not null,
  lease_until timestamptz not null,
  status integer constraint idempotency_keys_status_known check (status between 200 and 599),
  headers jsonb constraint idempotency_keys_only_location check (headers - 'location' = '{}'),
  body text,
  constraint idempotency_keys_pkey primary key (tenant_id, caller_id, route, key),
  constraint idempotency_keys_answered_whole check (num_nulls(status, headers, body) in (0, 3))
);
-- Across tenants: which are too old to keep.
create index idempotency_keys_by_age on platform.idempotency_keys (created_at);

call platform.isolate_by_tenant('platform.idempotency_keys');
-- Housekeeping forgets old keys of all tenants, but a job that has entered a tenant sees no other.
create policy housekeeping_sees on platform.idempotency_keys for select to app_system
  using (platform.current_tenant_id() is null);
create policy housekeeping_forgets on platform.idempotency_keys for delete to app_system
  using (platform.current_tenant_id() is null);
