create table crm.lead_sources (
  tenant_id uuid not null,
  key text not null constraint lead_sources_key_form check (key ~ '^[a-z0-9_]{1,50}$'),
  label text not null constraint lead_sources_label_length check (length(label) between 1 and 100),
  channel text not null default 'other' constraint lead_sources_channel_known
    check (channel in ('organic', 'paid', 'event', 'referral', 'partner', 'outbound', 'product', 'other')),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, key)
);
create trigger touch before update on crm.lead_sources for each row execute function platform.touch();
call platform.isolate_by_tenant('crm.lead_sources');

create table crm.lead_source_spend (
  tenant_id uuid not null,
  source_key text not null,
  month date not null constraint lead_source_spend_month_starts check (extract(day from month) = 1),
  amount_minor bigint not null constraint lead_source_spend_not_negative check (amount_minor >= 0),
  currency text not null,
  amount_base_minor bigint not null,
  primary key (tenant_id, source_key, month),
  constraint lead_source_spend_source_exists foreign key (tenant_id, source_key) references crm.lead_sources on delete cascade
);
call platform.isolate_by_tenant('crm.lead_source_spend');

-- Never changed: a new version is a new row, so that every score can be explained by the rules of its time.
create table crm.lead_scoring_configs (
  tenant_id uuid not null,
  version integer not null,
  config jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, version),
  constraint lead_scoring_configs_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by)
);
create index lead_scoring_configs_by_creator on crm.lead_scoring_configs (tenant_id, created_by);
call platform.isolate_by_tenant('crm.lead_scoring_configs');

create table crm.leads (
  tenant_id uuid not null,
  id uuid not null,
  first_name text constraint leads_first_name_length check (length(first_name) between 1 and 100),
  last_name text constraint leads_last_name_length check (length(last_name) between 1 and 100),
  name text generated always as (nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), '')) stored,
  -- Lower case, without accents and doubled spaces; the company also without its legal form. Written with the record.
  name_key text,
  company_key text,
  email text constraint leads_email_length check (length(email) between 3 and 254),
  email_key text generated always as (lower(email)) stored,
  email_kind text constraint leads_email_kind_known check (email_kind in ('business', 'free', 'disposable')),
  phone text constraint leads_phone_length check (length(phone) between 3 and 40),
  phone_e164 text,
  title text constraint leads_title_length check (length(title) between 1 and 150),
  company text constraint leads_company_length check (length(company) between 1 and 200),
  company_domain text,
  website text constraint leads_website_length check (length(website) <= 500),
  linkedin_url text constraint leads_linkedin_length check (length(linkedin_url) <= 500),
  industry text constraint leads_industry_length check (length(industry) <= 100),
  employee_count integer constraint leads_employee_count_range check (employee_count between 0 and 10000000),
  annual_revenue_minor bigint,
  annual_revenue_currency text,
  annual_revenue_base_minor bigint,
  country text constraint leads_country_length check (length(country) = 2),
  region text constraint leads_region_length check (length(region) <= 100),
  city text constraint leads_city_length check (length(city) <= 100),
  timezone text,
  source text not null constraint leads_source_form check (source ~ '^[a-z0-9_]{1,50}$'),
  source_detail text constraint leads_source_detail_length check (length(source_detail) <= 200),
  utm jsonb,
  status text not null default 'new' constraint leads_status_known
    check (status in ('new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified', 'converted')),
  lifecycle_stage text not null default 'lead' constraint leads_stage_known
    check (lifecycle_stage in ('subscriber', 'lead', 'mql', 'sql', 'opportunity', 'customer', 'evangelist')),
  disqualify_reason text constraint leads_disqualify_reason_known check (disqualify_reason in
    ('bad_fit', 'no_budget', 'no_authority', 'no_need', 'bad_timing', 'competitor', 'duplicate', 'invalid_contact', 'other')),
  owner_id uuid,
  assigned_at timestamptz,
  fit_score smallint not null default 0 constraint leads_fit_range check (fit_score between 0 and 100),
  engagement_score smallint not null default 0 constraint leads_engagement_range check (engagement_score between 0 and 100),
  score smallint not null default 0 constraint leads_score_range check (score between 0 and 100),
  grade text not null default 'C' constraint leads_grade_known check (grade in ('A', 'B', 'C')),
  score_reasons jsonb not null default '[]',
  score_version integer not null default 0,
  scored_at timestamptz,
  -- Whom to call next: the smaller, the sooner. Thousands are the tier, the rest is the score turned round.
  priority_rank smallint not null generated always as ((1000 * case status
      when 'converted' then 7
      when 'unqualified' then 6
      when 'nurturing' then 5
      else case grade when 'A' then 1 when 'B' then 2 else 3 end + case when status = 'new' and first_responded_at is null then 0 else 1 end
    end + 100 - score)::smallint) stored,
  email_status text not null default 'unknown' constraint leads_email_status_known
    check (email_status in ('unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained')),
  call_status text not null default 'allowed' constraint leads_call_status_known check (call_status in ('allowed', 'do_not_call')),
  processing_restricted boolean not null default false,
  first_responded_at timestamptz,
  first_responder_id uuid,
  -- How long it waited for the first response.
  response_ms bigint generated always as ((extract(epoch from first_responded_at - created_at) * 1000)::bigint) stored,
  sla_due_at timestamptz,
  sla_breached_at timestamptz,
  last_activity_at timestamptz,
  last_engaged_at timestamptz,
  mql_at timestamptz,
  sql_at timestamptz,
  opportunity_at timestamptz,
  customer_at timestamptz,
  converted_at timestamptz,
  converted_by uuid,
  converted_account_id uuid,
  converted_contact_id uuid,
  converted_opportunity_id uuid,
  merged_into_id uuid,
  import_id uuid,
  tags text[] not null default '{}' constraint leads_tags_size check (cardinality(tags) <= 50),
  notes text constraint leads_notes_length check (length(notes) <= 20000),
  custom jsonb not null default '{}',
  search_text text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  -- The day it was created in the workspace's time zone: what it counts under in every report.
  created_on date not null,
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid,
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint leads_somebody check (num_nonnulls(email, phone, last_name, company) > 0),
  constraint leads_revenue_is_money check (num_nonnulls(annual_revenue_minor, annual_revenue_currency) in (0, 2)),
  constraint leads_unqualified_has_reason check ((status = 'unqualified') = (disqualify_reason is not null)),
  constraint leads_converted_has_time check (status <> 'converted' or converted_at is not null),
  constraint leads_owner_exists foreign key (tenant_id, owner_id) references identity.users on delete set null (owner_id),
  constraint leads_responder_exists foreign key (tenant_id, first_responder_id) references identity.users on delete set null (first_responder_id),
  constraint leads_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by),
  constraint leads_converter_exists foreign key (tenant_id, converted_by) references identity.users on delete set null (converted_by),
  constraint leads_deleter_exists foreign key (tenant_id, deleted_by) references identity.users on delete set null (deleted_by),
  constraint leads_account_exists foreign key (tenant_id, converted_account_id) references crm.accounts on delete set null (converted_account_id),
  constraint leads_contact_exists foreign key (tenant_id, converted_contact_id) references crm.contacts on delete set null (converted_contact_id),
  constraint leads_opportunity_exists foreign key (tenant_id, converted_opportunity_id) references crm.opportunities
    on delete set null (converted_opportunity_id),
  constraint leads_merged_into_exists foreign key (tenant_id, merged_into_id) references crm.leads on delete set null (merged_into_id)
);
-- The default order is (priority_rank, created_at, id), all ascending, so that a page after a cursor is one range of an index.
create index leads_by_priority on crm.leads (tenant_id, priority_rank, created_at, id) where deleted_at is null;
create index leads_by_status on crm.leads (tenant_id, status, priority_rank, created_at, id) where deleted_at is null;
create index leads_by_owner on crm.leads (tenant_id, owner_id, priority_rank, created_at, id) where deleted_at is null;
create index leads_by_stage on crm.leads (tenant_id, lifecycle_stage, priority_rank, created_at, id) where deleted_at is null;
create index leads_by_grade on crm.leads (tenant_id, grade, priority_rank, created_at, id) where deleted_at is null;
create index leads_by_source on crm.leads (tenant_id, source, priority_rank, created_at, id) where deleted_at is null;
create index leads_by_creation on crm.leads (tenant_id, created_at, id) where deleted_at is null;
create index leads_by_day on crm.leads (tenant_id, created_on, response_ms) where deleted_at is null;
create index leads_by_change on crm.leads (tenant_id, updated_at, id) where deleted_at is null;
create index leads_by_score on crm.leads (tenant_id, score, id) where deleted_at is null;
create index leads_by_activity on crm.leads (tenant_id, last_activity_at, id) where deleted_at is null;
create index leads_by_name on crm.leads (tenant_id, name_key, id) where deleted_at is null;
create index leads_by_company on crm.leads (tenant_id, company_key, id) where deleted_at is null;
create index leads_by_due on crm.leads (tenant_id, sla_due_at, id) where deleted_at is null;
-- Whose time may be up although nobody has noted it yet: few at any moment.
create index leads_waiting on crm.leads (tenant_id, sla_due_at)
  where deleted_at is null and first_responded_at is null and sla_breached_at is null;
create index leads_by_email on crm.leads (tenant_id, email_key) where deleted_at is null;
create index leads_engaged on crm.leads (tenant_id, id) where deleted_at is null and engagement_score > 0;
create index leads_by_responder on crm.leads (tenant_id, first_responder_id) where first_responder_id is not null;
create index leads_by_creator on crm.leads (tenant_id, created_by);
create index leads_by_converter on crm.leads (tenant_id, converted_by) where converted_by is not null;
create index leads_by_account on crm.leads (tenant_id, converted_account_id) where converted_account_id is not null;
create index leads_by_contact on crm.leads (tenant_id, converted_contact_id) where converted_contact_id is not null;
create index leads_by_opportunity on crm.leads (tenant_id, converted_opportunity_id) where converted_opportunity_id is not null;
create index leads_by_merge on crm.leads (tenant_id, merged_into_id) where merged_into_id is not null;
create index leads_deleted on crm.leads (tenant_id, deleted_at) where deleted_at is not null;
create index leads_by_deleter on crm.leads (tenant_id, deleted_by) where deleted_by is not null;
create index leads_by_text on crm.leads using gin (tenant_id, search_text gin_trgm_ops) where deleted_at is null;
-- Only what people change counts as a change: a rescore in the background never spoils an If-Match. A score may also move the
-- stage, so whoever moves it says whether that counts.
create trigger count_version before update of first_name, last_name, email, phone, title, company, website, linkedin_url, industry,
  employee_count, annual_revenue_minor, annual_revenue_currency, country, region, city, timezone, source, source_detail, utm, status,
  disqualify_reason, owner_id, email_status, call_status, processing_restricted, merged_into_id, tags, notes,
  custom, deleted_at
  on crm.leads for each row execute function platform.count_version();
call platform.isolate_by_tenant('crm.leads');

alter table crm.contacts add constraint contacts_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete set null (lead_id);
alter table crm.opportunities add constraint opportunities_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete set null (lead_id);

-- Points that other modules add to a score, each under a name of its own.
create table crm.lead_score_components (
  tenant_id uuid not null,
  lead_id uuid not null,
  key text not null constraint lead_score_components_key_length check (length(key) between 1 and 100),
  label text not null constraint lead_score_components_label_length check (length(label) between 1 and 200),
  points smallint not null constraint lead_score_components_points_range check (points between -100 and 100),
  set_at timestamptz not null default now(),
  primary key (tenant_id, lead_id, key),
  constraint lead_score_components_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade
);
call platform.isolate_by_tenant('crm.lead_score_components');

create table crm.lead_score_history (
  tenant_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  at timestamptz not null,
  fit smallint not null,
  engagement smallint not null,
  score smallint not null,
  grade text not null,
  cause text not null,
  primary key (tenant_id, id),
  constraint lead_score_history_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade
);
create index lead_score_history_by_lead on crm.lead_score_history (tenant_id, lead_id, id);
call platform.isolate_by_tenant('crm.lead_score_history');

create table crm.lead_ai_results (
  tenant_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  kind text not null constraint lead_ai_results_kind_known check (kind in ('qualify', 'draft')),
  engine text not null constraint lead_ai_results_engine_known check (engine in ('model', 'rules')),
  result jsonb not null,
  input_hash bytea not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint lead_ai_results_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade,
  constraint lead_ai_results_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by)
);
create index lead_ai_results_by_lead on crm.lead_ai_results (tenant_id, lead_id, id);
create index lead_ai_results_by_creator on crm.lead_ai_results (tenant_id, created_by);
call platform.isolate_by_tenant('crm.lead_ai_results');

create table crm.lead_merges (
  tenant_id uuid not null,
  id uuid not null,
  primary_id uuid not null,
  -- The leads as they were, and what was moved from whom: all that is needed to take it back.
  snapshot jsonb not null,
  moved jsonb not null,
  merged_by uuid,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (tenant_id, id),
  constraint lead_merges_primary_exists foreign key (tenant_id, primary_id) references crm.leads on delete cascade,
  constraint lead_merges_merger_exists foreign key (tenant_id, merged_by) references identity.users on delete set null (merged_by)
);
create index lead_merges_by_primary on crm.lead_merges (tenant_id, primary_id);
create index lead_merges_by_merger on crm.lead_merges (tenant_id, merged_by);
call platform.isolate_by_tenant('crm.lead_merges');

-- Whose turn it is. Rows are locked while a lead is given out, so that parallel ones go to different people.
create table crm.assignment_state (
  tenant_id uuid not null,
  user_id uuid not null,
  last_assigned_at timestamptz,
  primary key (tenant_id, user_id),
  constraint assignment_state_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
call platform.isolate_by_tenant('crm.assignment_state');

create table crm.lead_assignments (
  tenant_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  user_id uuid not null,
  at timestamptz not null,
  primary key (tenant_id, id),
  constraint lead_assignments_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade,
  constraint lead_assignments_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
create index lead_assignments_by_user on crm.lead_assignments (tenant_id, user_id, at);
create index lead_assignments_by_lead on crm.lead_assignments (tenant_id, lead_id);
call platform.isolate_by_tenant('crm.lead_assignments');
