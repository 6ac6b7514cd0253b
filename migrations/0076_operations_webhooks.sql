create table operations.webhook_endpoints (
  tenant_id uuid not null,
  id uuid not null,
  url text not null constraint webhook_endpoints_url_length check (length(url) <= 2048),
  description text constraint webhook_endpoints_description_length check (length(description) <= 500),
  event_types text[] not null constraint webhook_endpoints_event_types_count check (cardinality(event_types) between 1 and 200),
  -- Resources that the user who chose the event types may not read; wildcards do not include their events.
  excluded_resources text[] not null default '{}',
  rate_per_second integer not null default 50
    constraint webhook_endpoints_rate_range check (rate_per_second between 1 and 200),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  -- The columns below are not exported. Their defaults are those of an imported endpoint, which has no secret.
  status text collate "C" not null default 'disabled'
    constraint webhook_endpoints_status_known check (status in ('enabled', 'disabled')),
  disabled_reason text collate "C" default 'imported'
    constraint webhook_endpoints_disabled_reason_known check (disabled_reason in ('manual', 'gone', 'failing', 'imported')),
  secret bytea,
  secret_kid text,
  previous_secret bytea,
  previous_secret_kid text,
  previous_secret_valid_until timestamptz,
  breaker text collate "C" not null default 'closed'
    constraint webhook_endpoints_breaker_known check (breaker in ('closed', 'open')),
  probes integer not null default 0,
  next_probe_at timestamptz,
  consecutive_failures integer not null default 0,
  first_failure_at timestamptz,
  last_success_at timestamptz,
  warned_at timestamptz,
  -- One worker at a time sends the deliveries of an endpoint.
  lease_id uuid,
  leased_until timestamptz,
  constraint webhook_endpoints_pkey primary key (tenant_id, id),
  constraint webhook_endpoints_disabled_with_reason check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhook_endpoints_enabled_with_secret check (status = 'disabled' or secret is not null),
  constraint webhook_endpoints_probe_planned check ((breaker = 'open') = (next_probe_at is not null))
);
create trigger count_version before update of url, description, event_types, rate_per_second, status
  on operations.webhook_endpoints for each row execute function platform.count_version();
call platform.isolate_by_tenant('operations.webhook_endpoints');

-- Work table and log of deliveries. `event` has the subject, actor, data and time of the event; the record is read when it is sent.
create table operations.webhook_deliveries (
  tenant_id uuid not null,
  -- Derived from event and endpoint for the first delivery, so that the primary key prevents a second one.
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text collate "C" not null,
  event jsonb not null,
  state text collate "C" not null
    constraint webhook_deliveries_state_known check (state in ('pending', 'succeeded', 'failed', 'skipped')),
  redelivery_of_id uuid,
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  last_status smallint,
  last_error text collate "C",
  finished_at timestamptz,
  attempt_log jsonb not null default '[]',
  constraint webhook_deliveries_pkey primary key (tenant_id, id),
  constraint webhook_deliveries_pending_planned check ((state = 'pending') = (next_attempt_at is not null)),
  constraint webhook_deliveries_finished check ((state = 'pending') = (finished_at is null))
) partition by range (id);
create index webhook_deliveries_pending on operations.webhook_deliveries (tenant_id, endpoint_id, next_attempt_at, id)
  where state = 'pending';
create index webhook_deliveries_by_endpoint on operations.webhook_deliveries (tenant_id, endpoint_id, id desc);
create index webhook_deliveries_by_type on operations.webhook_deliveries (tenant_id, endpoint_id, event_type, id desc);
create index webhook_deliveries_unsuccessful on operations.webhook_deliveries (tenant_id, endpoint_id, id desc)
  where state in ('failed', 'skipped');
create index webhook_deliveries_redeliveries on operations.webhook_deliveries (tenant_id, redelivery_of_id)
  where redelivery_of_id is not null;
call platform.isolate_by_tenant('operations.webhook_deliveries');
call platform.partition_by_id('operations.webhook_deliveries', 'month', 2);
