create table crm.activities (
  tenant_id uuid not null,
  id uuid not null,
  lead_id uuid,
  contact_id uuid,
  account_id uuid,
  opportunity_id uuid,
  type text not null constraint activities_type_length check (length(type) between 1 and 40),
  direction text not null constraint activities_direction_known check (direction in ('in', 'out', 'none')),
  subject text constraint activities_subject_length check (length(subject) <= 200),
  body text constraint activities_body_length check (length(body) <= 20000),
  outcome text constraint activities_outcome_length check (length(outcome) <= 100),
  duration_seconds integer constraint activities_duration_range check (duration_seconds between 0 and 86400),
  occurred_at timestamptz not null,
  due_at timestamptz,
  completed_at timestamptz,
  assignee_id uuid,
  actor_type text not null constraint activities_actor_type_known check (actor_type in ('user', 'automation', 'person', 'system')),
  actor_user_id uuid,
  source text not null constraint activities_source_known
    check (source in ('manual', 'api', 'cadence', 'campaign', 'import', 'system')),
  external_id text constraint activities_external_id_length check (length(external_id) between 1 and 200),
  -- No key to campaigns: they belong to a module above this one.
  campaign_id uuid,
  meta jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint activities_about_something check (num_nonnulls(lead_id, contact_id, account_id, opportunity_id) > 0),
  constraint activities_external_id_unique unique (tenant_id, source, external_id),
  constraint activities_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade,
  constraint activities_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete set null (contact_id),
  constraint activities_account_exists foreign key (tenant_id, account_id) references crm.accounts on delete set null (account_id),
  constraint activities_opportunity_exists foreign key (tenant_id, opportunity_id) references crm.opportunities on delete set null (opportunity_id),
  constraint activities_assignee_exists foreign key (tenant_id, assignee_id) references identity.users on delete set null (assignee_id),
  constraint activities_actor_exists foreign key (tenant_id, actor_user_id) references identity.users on delete set null (actor_user_id)
);
create index activities_by_lead on crm.activities (tenant_id, lead_id, occurred_at, id);
-- The newest few of each kind, which is what a score counts, however long the timeline is.
create index activities_by_lead_and_type on crm.activities (tenant_id, lead_id, type, occurred_at, id);
create index activities_by_contact on crm.activities (tenant_id, contact_id, occurred_at, id);
create index activities_by_account on crm.activities (tenant_id, account_id, occurred_at, id);
create index activities_by_opportunity on crm.activities (tenant_id, opportunity_id, occurred_at, id);
create index activities_open_tasks on crm.activities (tenant_id, assignee_id, due_at) where type = 'task' and completed_at is null;
create index activities_by_assignee on crm.activities (tenant_id, assignee_id) where assignee_id is not null;
create index activities_by_actor on crm.activities (tenant_id, actor_user_id) where actor_user_id is not null;
create trigger count_version before update of type, direction, subject, body, outcome, duration_seconds, occurred_at, due_at,
  completed_at, assignee_id, meta
  on crm.activities for each row execute function platform.count_version();
call platform.isolate_by_tenant('crm.activities');

-- Where a value came from: what a person typed is never overwritten by a machine.
create table crm.field_provenance (
  tenant_id uuid not null,
  entity_type text not null constraint field_provenance_entity_known check (entity_type in ('lead', 'contact', 'account')),
  entity_id uuid not null,
  field text not null,
  source text not null constraint field_provenance_source_known
    check (source in ('human', 'api', 'import', 'form', 'enrichment', 'convert', 'merge')),
  provider text,
  confidence real,
  set_at timestamptz not null,
  set_by uuid,
  primary key (tenant_id, entity_type, entity_id, field)
);
call platform.isolate_by_tenant('crm.field_provenance');

create table crm.lifecycle_events (
  tenant_id uuid not null,
  id uuid not null,
  lead_id uuid,
  contact_id uuid,
  from_stage text,
  to_stage text not null,
  -- Skipped on the way to a later stage, and therefore reached at the same instant.
  implied boolean not null default false,
  reason text constraint lifecycle_events_reason_length check (length(reason) <= 200),
  actor_user_id uuid,
  at timestamptz not null,
  primary key (tenant_id, id),
  constraint lifecycle_events_about_somebody check (num_nonnulls(lead_id, contact_id) > 0),
  constraint lifecycle_events_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade,
  constraint lifecycle_events_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete cascade
);
create index lifecycle_events_by_lead on crm.lifecycle_events (tenant_id, lead_id, id) where lead_id is not null;
create index lifecycle_events_by_contact on crm.lifecycle_events (tenant_id, contact_id, id) where contact_id is not null;
call platform.isolate_by_tenant('crm.lifecycle_events');

-- The tags of a record once more, one row each: no index finds into an array under row-level security.
create table crm.record_tags (
  tenant_id uuid not null,
  entity_type text not null constraint record_tags_entity_known check (entity_type in ('lead', 'contact', 'account', 'opportunity')),
  tag text not null constraint record_tags_tag_length check (length(tag) between 1 and 50),
  record_id uuid not null,
  primary key (tenant_id, entity_type, tag, record_id)
);
create index record_tags_by_record on crm.record_tags (tenant_id, entity_type, record_id);
call platform.isolate_by_tenant('crm.record_tags');

-- Whom not to write or call: kept by a keyed hash of the address, so that it outlives the record.
create table crm.suppressions (
  tenant_id uuid not null,
  subject_hash bytea not null,
  channel text not null constraint suppressions_channel_known check (channel in ('email', 'survey', 'phone')),
  reason text not null constraint suppressions_reason_known check (reason in ('unsubscribed', 'complained', 'bounced', 'erased', 'manual')),
  at timestamptz not null,
  source text not null,
  primary key (tenant_id, subject_hash, channel)
);
call platform.isolate_by_tenant('crm.suppressions');
