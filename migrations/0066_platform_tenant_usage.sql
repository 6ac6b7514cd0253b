-- What each workspace has used, per hour, for the statistics of its admins. Processes add their counts once a minute.
create table platform.tenant_usage (
  tenant_id uuid not null,
  hour timestamptz not null constraint tenant_usage_hour_begins check (date_trunc('hour', hour, 'UTC') = hour),
  api_requests bigint not null default 0,
  api_errors bigint not null default 0,
  emails_sent bigint not null default 0,
  ai_tokens bigint not null default 0,
  jobs_succeeded bigint not null default 0,
  jobs_failed bigint not null default 0,
  constraint tenant_usage_pkey primary key (tenant_id, hour)
);

call platform.isolate_by_tenant('platform.tenant_usage');
