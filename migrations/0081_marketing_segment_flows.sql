-- Continuous enrollments of the members of a segment into a campaign or another target.
create table marketing.segment_flows (
  tenant_id uuid not null,
  id uuid not null,
  segment_id uuid not null,
  target_type text collate "C" not null constraint segment_flows_target_type_form check (target_type ~ '^[a-z][a-z0-9_]{0,39}$'),
  target_id uuid not null,
  options jsonb not null default '{}',
  is_active boolean not null default true,
  -- The user or API key whose permissions are checked at every run.
  requested_by jsonb not null,
  enrolled_count integer not null default 0,
  last_run_at timestamptz,
  last_error text constraint segment_flows_last_error_length check (length(last_error) <= 500),
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint segment_flows_pkey primary key (tenant_id, id),
  constraint segment_flows_target_unique unique (tenant_id, segment_id, target_type, target_id),
  constraint segment_flows_segment_exists foreign key (tenant_id, segment_id) references marketing.segments on delete cascade,
  constraint segment_flows_creator_exists foreign key (tenant_id, created_by) references identity.users
    on delete set null (created_by)
);
create index segment_flows_active on marketing.segment_flows (tenant_id, id) where is_active;
create index segment_flows_by_creator on marketing.segment_flows (tenant_id, created_by) where created_by is not null;
call platform.isolate_by_tenant('marketing.segment_flows');
-- Lets the schedule find the tenants with active flows.
create policy active_flows on marketing.segment_flows for select to app_system using (platform.current_tenant_id() is null);

-- Records that a flow has enrolled once. One that leaves the segment and returns is not enrolled again.
create table marketing.segment_flow_records (
  tenant_id uuid not null,
  flow_id uuid not null,
  lead_id uuid,
  contact_id uuid,
  record_id uuid not null generated always as (coalesce(lead_id, contact_id)) stored,
  enrolled_at timestamptz not null default now(),
  constraint segment_flow_records_pkey primary key (tenant_id, flow_id, record_id),
  constraint segment_flow_records_one_record check (num_nonnulls(lead_id, contact_id) = 1),
  constraint segment_flow_records_flow_exists foreign key (tenant_id, flow_id) references marketing.segment_flows
    on delete cascade,
  constraint segment_flow_records_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade,
  constraint segment_flow_records_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete cascade
);
create index segment_flow_records_by_lead on marketing.segment_flow_records (tenant_id, lead_id) where lead_id is not null;
create index segment_flow_records_by_contact on marketing.segment_flow_records (tenant_id, contact_id)
  where contact_id is not null;
call platform.isolate_by_tenant('marketing.segment_flow_records');
