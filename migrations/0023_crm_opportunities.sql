create table crm.pipelines (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint pipelines_name_length check (length(name) between 1 and 100),
  name_key text not null generated always as (lower(name)) stored,
  is_default boolean not null default false,
  is_active boolean not null default true,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint pipelines_name_unique unique (tenant_id, name_key)
);
create unique index pipelines_one_default on crm.pipelines (tenant_id) where is_default;
create trigger count_version before update on crm.pipelines for each row execute function platform.count_version();
call platform.isolate_by_tenant('crm.pipelines');

create table crm.pipeline_stages (
  tenant_id uuid not null,
  pipeline_id uuid not null,
  key text not null constraint pipeline_stages_key_form check (key ~ '^[a-z0-9_]{1,40}$'),
  label text not null constraint pipeline_stages_label_length check (length(label) between 1 and 100),
  position integer not null,
  kind text not null constraint pipeline_stages_kind_known check (kind in ('open', 'won', 'lost')),
  probability_basis integer not null constraint pipeline_stages_probability_range check (probability_basis between 0 and 10000),
  forecast_category text not null constraint pipeline_stages_category_known
    check (forecast_category in ('pipeline', 'best_case', 'commit', 'closed', 'omitted')),
  is_active boolean not null default true,
  primary key (tenant_id, pipeline_id, key),
  constraint pipeline_stages_pipeline_exists foreign key (tenant_id, pipeline_id) references crm.pipelines on delete cascade,
  constraint pipeline_stages_closed_are_fixed check (
    (kind = 'won') = (forecast_category = 'closed')
    and (kind <> 'won' or probability_basis = 10000)
    and (kind <> 'lost' or (probability_basis = 0 and forecast_category = 'omitted'))),
  -- Deferred: while one is replaced, deals move from the old one to the new one and both are there.
  constraint pipeline_stages_one_won exclude using btree (tenant_id with =, pipeline_id with =) where (kind = 'won')
    deferrable initially deferred,
  constraint pipeline_stages_one_lost exclude using btree (tenant_id with =, pipeline_id with =) where (kind = 'lost')
    deferrable initially deferred
);
call platform.isolate_by_tenant('crm.pipeline_stages');

create table crm.opportunities (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint opportunities_name_length check (length(name) between 1 and 200),
  name_key text not null,
  account_id uuid not null,
  primary_contact_id uuid,
  pipeline_id uuid not null,
  stage_key text not null,
  -- A copy of the stage's, to find by.
  kind text not null constraint opportunities_kind_known check (kind in ('open', 'won', 'lost')),
  amount_minor bigint constraint opportunities_amount_not_negative check (amount_minor >= 0),
  amount_currency text,
  amount_base_minor bigint,
  probability_basis integer not null constraint opportunities_probability_range check (probability_basis between 0 and 10000),
  probability_overridden boolean not null default false,
  forecast_category text not null constraint opportunities_category_known
    check (forecast_category in ('pipeline', 'best_case', 'commit', 'closed', 'omitted')),
  close_on date not null,
  closed_at timestamptz,
  lost_reason text constraint opportunities_lost_reason_known
    check (lost_reason in ('price', 'competitor', 'no_decision', 'no_budget', 'timing', 'feature_gap', 'other')),
  lost_detail text constraint opportunities_lost_detail_length check (length(lost_detail) <= 500),
  next_step text constraint opportunities_next_step_length check (length(next_step) <= 500),
  owner_id uuid,
  source text,
  -- No key to campaigns: they belong to a module above this one.
  campaign_id uuid,
  lead_id uuid,
  stage_entered_at timestamptz not null default now(),
  last_activity_at timestamptz,
  tags text[] not null default '{}' constraint opportunities_tags_size check (cardinality(tags) <= 50),
  notes text constraint opportunities_notes_length check (length(notes) <= 20000),
  custom jsonb not null default '{}',
  search_text text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid,
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint opportunities_amount_is_money check (num_nonnulls(amount_minor, amount_currency, amount_base_minor) in (0, 3)),
  constraint opportunities_lost_has_reason check (kind <> 'lost' or lost_reason is not null),
  constraint opportunities_won_has_amount check (kind <> 'won' or amount_minor is not null),
  constraint opportunities_account_exists foreign key (tenant_id, account_id) references crm.accounts,
  constraint opportunities_contact_exists foreign key (tenant_id, primary_contact_id) references crm.contacts on delete set null (primary_contact_id),
  constraint opportunities_stage_exists foreign key (tenant_id, pipeline_id, stage_key) references crm.pipeline_stages,
  constraint opportunities_owner_exists foreign key (tenant_id, owner_id) references identity.users on delete set null (owner_id),
  constraint opportunities_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by),
  constraint opportunities_deleter_exists foreign key (tenant_id, deleted_by) references identity.users on delete set null (deleted_by)
);
create index opportunities_by_kind on crm.opportunities (tenant_id, kind, close_on, id) where deleted_at is null;
create index opportunities_by_close on crm.opportunities (tenant_id, close_on, id) where deleted_at is null;
create index opportunities_by_owner on crm.opportunities (tenant_id, owner_id, kind, close_on, id);
create index opportunities_by_account on crm.opportunities (tenant_id, account_id, close_on, id);
create index opportunities_by_contact on crm.opportunities (tenant_id, primary_contact_id);
create index opportunities_by_stage on crm.opportunities (tenant_id, pipeline_id, stage_key, amount_base_minor, id);
create index opportunities_by_stage_close on crm.opportunities (tenant_id, pipeline_id, stage_key, close_on, id) where deleted_at is null;
create index opportunities_by_campaign on crm.opportunities (tenant_id, campaign_id, close_on, id) where campaign_id is not null;
create index opportunities_by_lead on crm.opportunities (tenant_id, lead_id) where lead_id is not null;
create index opportunities_by_category on crm.opportunities (tenant_id, forecast_category, close_on, id) where deleted_at is null;
create index opportunities_by_amount on crm.opportunities (tenant_id, amount_base_minor, id) where deleted_at is null;
create index opportunities_by_creation on crm.opportunities (tenant_id, created_at, id) where deleted_at is null;
create index opportunities_by_change on crm.opportunities (tenant_id, updated_at, id) where deleted_at is null;
create index opportunities_by_name on crm.opportunities (tenant_id, name_key, id) where deleted_at is null;
create index opportunities_by_creator on crm.opportunities (tenant_id, created_by);
create index opportunities_deleted on crm.opportunities (tenant_id, deleted_at) where deleted_at is not null;
create index opportunities_by_deleter on crm.opportunities (tenant_id, deleted_by) where deleted_by is not null;
create index opportunities_by_text on crm.opportunities using gin (tenant_id, search_text gin_trgm_ops) where deleted_at is null;
create trigger count_version before update of name, account_id, primary_contact_id, pipeline_id, stage_key, kind, amount_minor,
  amount_currency, probability_basis, probability_overridden, forecast_category, close_on, lost_reason, lost_detail, next_step,
  owner_id, source, campaign_id, tags, notes, custom, deleted_at
  on crm.opportunities for each row execute function platform.count_version();
call platform.isolate_by_tenant('crm.opportunities');

create table crm.opportunity_contacts (
  tenant_id uuid not null,
  opportunity_id uuid not null,
  contact_id uuid not null,
  role text not null default 'other' constraint opportunity_contacts_role_known
    check (role in ('decision_maker', 'champion', 'influencer', 'user', 'procurement', 'other')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, opportunity_id, contact_id),
  constraint opportunity_contacts_opportunity_exists foreign key (tenant_id, opportunity_id) references crm.opportunities on delete cascade,
  constraint opportunity_contacts_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete cascade
);
create index opportunity_contacts_by_contact on crm.opportunity_contacts (tenant_id, contact_id, opportunity_id);
call platform.isolate_by_tenant('crm.opportunity_contacts');

create table crm.opportunity_stage_history (
  tenant_id uuid not null,
  id uuid not null,
  opportunity_id uuid not null,
  from_key text,
  to_key text not null,
  amount_base_minor bigint,
  close_on date not null,
  actor_user_id uuid,
  at timestamptz not null,
  seconds_in_previous bigint,
  primary key (tenant_id, id),
  constraint opportunity_stage_history_opportunity_exists foreign key (tenant_id, opportunity_id) references crm.opportunities on delete cascade
);
create index opportunity_stage_history_by_opportunity on crm.opportunity_stage_history (tenant_id, opportunity_id, at, id);
call platform.isolate_by_tenant('crm.opportunity_stage_history');
