-- Campaigns that influenced a deal, with their shares of its amount in the base currency.
create table marketing.opportunity_touches (
  tenant_id uuid not null,
  id uuid not null,
  opportunity_id uuid not null,
  campaign_id uuid not null,
  touch_at timestamptz not null,
  position integer not null constraint opportunity_touches_position_counted check (position between 1 and of),
  of integer not null,
  kind text not null constraint opportunity_touches_kind_known check (kind in ('open', 'won', 'lost')),
  amount_base_minor bigint not null,
  first_minor bigint not null,
  last_minor bigint not null,
  linear_minor bigint not null,
  frozen boolean not null,
  -- True while the deal is deleted.
  is_hidden boolean not null default false,
  primary key (tenant_id, id),
  constraint opportunity_touches_unique unique (tenant_id, opportunity_id, campaign_id),
  constraint opportunity_touches_opportunity_exists foreign key (tenant_id, opportunity_id) references crm.opportunities on delete cascade,
  constraint opportunity_touches_campaign_exists foreign key (tenant_id, campaign_id) references marketing.campaigns on delete cascade
);
create index opportunity_touches_by_campaign on marketing.opportunity_touches
  (tenant_id, campaign_id, kind, amount_base_minor, id) where not is_hidden;
call platform.isolate_by_tenant('marketing.opportunity_touches');

-- Deals and persons whose touches must be calculated again. Rows are only added and deleted, so writers never wait for each other.
create table marketing.attribution_marks (
  tenant_id uuid not null,
  id uuid not null,
  record_type text not null constraint attribution_marks_type_known check (record_type in ('opportunity', 'lead', 'contact')),
  record_id uuid not null,
  -- The deal was closed: its touches are calculated once more and then kept.
  is_closing boolean not null default false,
  primary key (tenant_id, id)
);
call platform.isolate_by_tenant('marketing.attribution_marks');
call platform.open_to_system('marketing.attribution_marks');
