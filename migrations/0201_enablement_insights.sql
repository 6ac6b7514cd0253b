-- Views of content by the buyers of closed deals, as far as they influenced the deal.
create table enablement.insight_influences (
  tenant_id uuid not null,
  item_id uuid not null,
  opportunity_id uuid not null,
  closed_at timestamptz not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  seconds integer not null,
  constraint insight_influences_pkey primary key (tenant_id, item_id, opportunity_id),
  constraint insight_influences_item_exists foreign key (tenant_id, item_id)
    references enablement.content_items on delete cascade,
  constraint insight_influences_opportunity_exists foreign key (tenant_id, opportunity_id)
    references crm.opportunities on delete cascade
);
create index insight_influences_by_opportunity on enablement.insight_influences (tenant_id, opportunity_id);
create index insight_influences_by_close on enablement.insight_influences (tenant_id, closed_at);
call platform.isolate_by_tenant('enablement.insight_influences');

-- Calculated insights, so that a read is one row.
create table enablement.insight_snapshots (
  tenant_id uuid not null,
  key text collate "C" not null,
  payload jsonb not null,
  as_of timestamptz not null,
  constraint insight_snapshots_pkey primary key (tenant_id, key)
);
call platform.isolate_by_tenant('enablement.insight_snapshots');

-- Until when influences are calculated, and with which attribution window.
create table enablement.insight_states (
  tenant_id uuid not null,
  refreshed_to timestamptz not null,
  window_days integer not null,
  constraint insight_states_pkey primary key (tenant_id)
);
call platform.isolate_by_tenant('enablement.insight_states');

-- Changes since the last refresh, one row each.
create table enablement.insight_marks (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz not null default now(),
  constraint insight_marks_pkey primary key (tenant_id, id)
);
call platform.isolate_by_tenant('enablement.insight_marks');
grant select (tenant_id) on enablement.insight_marks to app_retention;
create policy maintenance_select on enablement.insight_marks for select to app_retention
  using (platform.current_tenant_id() is null);
