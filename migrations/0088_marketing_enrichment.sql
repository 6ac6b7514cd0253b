-- Requests to enrich a record: the work table of the dispatcher and the history in one.
create table marketing.enrichment_jobs (
  tenant_id uuid not null,
  id uuid not null,
  entity_type text collate "C" not null
    constraint enrichment_jobs_entity_type_known check (entity_type in ('lead', 'contact', 'account')),
  entity_id uuid not null,
  lead_id uuid generated always as (case when entity_type = 'lead' then entity_id end) stored,
  contact_id uuid generated always as (case when entity_type = 'contact' then entity_id end) stored,
  account_id uuid generated always as (case when entity_type = 'account' then entity_id end) stored,
  status text collate "C" not null constraint enrichment_jobs_status_known check (status in
    ('queued', 'running', 'succeeded', 'partial', 'no_match', 'failed', 'skipped')),
  reason text collate "C" constraint enrichment_jobs_reason_known check (reason in
    ('quota_exceeded', 'nothing_to_look_up', 'processing_restricted', 'disabled', 'deleted', 'converted', 'erased',
    'cancelled')),
  trigger text collate "C" not null
    constraint enrichment_jobs_trigger_known check (trigger in ('manual', 'bulk', 'auto', 'refresh')),
  requested_by uuid,
  task_id uuid,
  is_forced boolean not null default false,
  -- Null until the first attempt decides which fields are missing.
  fields_requested text[],
  log jsonb not null default '[]' constraint enrichment_jobs_log_is_list check (jsonb_typeof(log) = 'array'),
  credits_used integer not null default 0 constraint enrichment_jobs_credits_not_negative check (credits_used >= 0),
  -- Credits of calls whose result is not stored yet, and the month that they are counted in.
  credits_reserved integer not null default 0
    constraint enrichment_jobs_reserved_not_negative check (credits_reserved >= 0),
  credit_month date,
  attempts smallint not null default 0,
  run_at timestamptz not null,
  claim_id uuid,
  claimed_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint enrichment_jobs_pkey primary key (tenant_id, id),
  constraint enrichment_jobs_lead_exists foreign key (tenant_id, lead_id) references crm.leads (tenant_id, id) on delete cascade,
  constraint enrichment_jobs_contact_exists foreign key (tenant_id, contact_id) references crm.contacts (tenant_id, id) on delete cascade,
  constraint enrichment_jobs_account_exists foreign key (tenant_id, account_id) references crm.accounts (tenant_id, id) on delete cascade,
  constraint enrichment_jobs_claimed_while_running check ((status = 'running') = (claim_id is not null and claimed_at is not null)),
  constraint enrichment_jobs_finished_in_the_end check ((status in ('queued', 'running')) = (finished_at is null)),
  constraint enrichment_jobs_nothing_reserved_in_the_end check (credits_reserved = 0 or status = 'running'),
  constraint enrichment_jobs_credits_with_month check (credits_used + credits_reserved = 0 or credit_month is not null)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

create unique index enrichment_jobs_live on marketing.enrichment_jobs (tenant_id, entity_type, entity_id)
  where status in ('queued', 'running');
create index enrichment_jobs_due on marketing.enrichment_jobs (tenant_id, run_at, id) where status = 'queued';
create index enrichment_jobs_claimed on marketing.enrichment_jobs (tenant_id, claimed_at, id) where status = 'running';
create index enrichment_jobs_by_status on marketing.enrichment_jobs (tenant_id, status, id desc);
create index enrichment_jobs_by_type on marketing.enrichment_jobs (tenant_id, entity_type, status, id desc);
create index enrichment_jobs_by_credit_month on marketing.enrichment_jobs (tenant_id, credit_month) where credit_month is not null;
create index enrichment_jobs_by_lead on marketing.enrichment_jobs (tenant_id, lead_id, id desc) where lead_id is not null;
create index enrichment_jobs_by_contact on marketing.enrichment_jobs (tenant_id, contact_id, id desc) where contact_id is not null;
create index enrichment_jobs_by_account on marketing.enrichment_jobs (tenant_id, account_id, id desc) where account_id is not null;
create trigger touch before update on marketing.enrichment_jobs for each row execute function platform.touch();
call platform.isolate_by_tenant('marketing.enrichment_jobs');

-- Values that were not written because a user or another source has set the field. A rejected value is not suggested again.
create table marketing.enrichment_suggestions (
  tenant_id uuid not null,
  id uuid not null,
  entity_type text collate "C" not null
    constraint enrichment_suggestions_entity_type_known check (entity_type in ('lead', 'contact', 'account')),
  entity_id uuid not null,
  lead_id uuid generated always as (case when entity_type = 'lead' then entity_id end) stored,
  contact_id uuid generated always as (case when entity_type = 'contact' then entity_id end) stored,
  account_id uuid generated always as (case when entity_type = 'account' then entity_id end) stored,
  field text collate "C" not null constraint enrichment_suggestions_field_form check (field ~ '^[a-z][a-z_]{0,39}$'),
  current_value jsonb not null,
  suggested_value jsonb not null,
  value_hash bytea not null constraint enrichment_suggestions_hash_length check (octet_length(value_hash) = 32),
  provider text collate "C" constraint enrichment_suggestions_provider_form check (provider ~ '^[a-z][a-z0-9_]{0,39}$'),
  confidence real constraint enrichment_suggestions_confidence_range check (confidence between 0 and 1),
  state text collate "C" not null default 'open'
    constraint enrichment_suggestions_state_known check (state in ('open', 'accepted', 'rejected')),
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint enrichment_suggestions_pkey primary key (tenant_id, id),
  constraint enrichment_suggestions_once unique (tenant_id, entity_type, entity_id, field, value_hash),
  constraint enrichment_suggestions_lead_exists foreign key (tenant_id, lead_id) references crm.leads (tenant_id, id) on delete cascade,
  constraint enrichment_suggestions_contact_exists foreign key (tenant_id, contact_id) references crm.contacts (tenant_id, id) on delete cascade,
  constraint enrichment_suggestions_account_exists foreign key (tenant_id, account_id) references crm.accounts (tenant_id, id) on delete cascade,
  constraint enrichment_suggestions_decided_with_time check ((state = 'open') = (decided_at is null))
);

create index enrichment_suggestions_open on marketing.enrichment_suggestions (tenant_id, id desc) where state = 'open';
create index enrichment_suggestions_open_by_type on marketing.enrichment_suggestions (tenant_id, entity_type, id desc)
  where state = 'open';
create index enrichment_suggestions_open_by_record on marketing.enrichment_suggestions (tenant_id, entity_type, entity_id, id desc)
  where state = 'open';
create index enrichment_suggestions_by_lead on marketing.enrichment_suggestions (tenant_id, lead_id) where lead_id is not null;
create index enrichment_suggestions_by_contact on marketing.enrichment_suggestions (tenant_id, contact_id)
  where contact_id is not null;
create index enrichment_suggestions_by_account on marketing.enrichment_suggestions (tenant_id, account_id)
  where account_id is not null;
create trigger touch before update on marketing.enrichment_suggestions for each row execute function platform.touch();
call platform.isolate_by_tenant('marketing.enrichment_suggestions');

create table marketing.enrichment_usage (
  tenant_id uuid not null,
  month date not null,
  credits_used integer not null default 0 constraint enrichment_usage_not_negative check (credits_used >= 0),
  constraint enrichment_usage_pkey primary key (tenant_id, month)
);
call platform.isolate_by_tenant('marketing.enrichment_usage');
