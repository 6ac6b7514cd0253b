create schema crm;
grant usage on schema crm to app, app_system, app_search;

-- What LIKE is to look for, for the words of a search. The longest word comes first: the index finds it, the others sift what
-- it found. Two letters are in half of all texts, so on their own they stand for the beginning of a word; texts that are
-- searched begin with a space.
create function crm.search_patterns(words text[]) returns text[]
  language sql immutable parallel safe
  return array(
    select case when length(words[1]) < 3 then '% ' else '%' end || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
    from unnest(words) with ordinality as asked (word, place) order by place
  );
grant execute on function crm.search_patterns(text[]) to app, app_search;

create table crm.accounts (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint accounts_name_length check (length(name) between 1 and 200),
  -- Lower case, without accents and legal form; written with the name.
  name_key text not null,
  domain text constraint accounts_domain_lower check (domain = lower(domain)),
  website text constraint accounts_website_length check (length(website) <= 500),
  type text not null default 'prospect' constraint accounts_type_known
    check (type in ('prospect', 'customer', 'partner', 'competitor', 'former_customer', 'person', 'other')),
  industry text constraint accounts_industry_length check (length(industry) <= 100),
  employee_count integer constraint accounts_employee_count_range check (employee_count between 0 and 10000000),
  annual_revenue_minor bigint,
  annual_revenue_currency text,
  annual_revenue_base_minor bigint,
  phone text constraint accounts_phone_length check (length(phone) <= 40),
  address jsonb,
  timezone text,
  parent_account_id uuid,
  owner_id uuid,
  tags text[] not null default '{}' constraint accounts_tags_size check (cardinality(tags) <= 50),
  notes text constraint accounts_notes_length check (length(notes) <= 20000),
  custom jsonb not null default '{}',
  last_activity_at timestamptz,
  search_text text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid,
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint accounts_revenue_is_money check (num_nonnulls(annual_revenue_minor, annual_revenue_currency) in (0, 2)),
  constraint accounts_parent_exists foreign key (tenant_id, parent_account_id) references crm.accounts on delete set null (parent_account_id),
  constraint accounts_owner_exists foreign key (tenant_id, owner_id) references identity.users on delete set null (owner_id),
  constraint accounts_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by),
  constraint accounts_deleter_exists foreign key (tenant_id, deleted_by) references identity.users on delete set null (deleted_by)
);
create unique index accounts_domain_unique on crm.accounts (tenant_id, domain) where deleted_at is null and domain is not null;
create index accounts_by_name on crm.accounts (tenant_id, name_key, id) where deleted_at is null;
create index accounts_by_owner on crm.accounts (tenant_id, owner_id, name_key, id);
create index accounts_by_type on crm.accounts (tenant_id, type, name_key, id) where deleted_at is null;
create index accounts_by_industry on crm.accounts (tenant_id, industry, name_key, id) where deleted_at is null;
create index accounts_by_parent on crm.accounts (tenant_id, parent_account_id, name_key, id);
create index accounts_by_creation on crm.accounts (tenant_id, created_at, id) where deleted_at is null;
create index accounts_by_change on crm.accounts (tenant_id, updated_at, id) where deleted_at is null;
create index accounts_by_activity on crm.accounts (tenant_id, last_activity_at, id) where deleted_at is null;
create index accounts_by_creator on crm.accounts (tenant_id, created_by);
create index accounts_deleted on crm.accounts (tenant_id, deleted_at) where deleted_at is not null;
create index accounts_by_deleter on crm.accounts (tenant_id, deleted_by) where deleted_by is not null;
create index accounts_by_text on crm.accounts using gin (tenant_id, search_text gin_trgm_ops) where deleted_at is null;
-- Only what people change counts as a change: roll-ups and activity leave the version alone.
create trigger count_version before update of name, domain, website, type, industry, employee_count, annual_revenue_minor,
  annual_revenue_currency, phone, address, timezone, parent_account_id, owner_id, tags, notes, custom, deleted_at
  on crm.accounts for each row execute function platform.count_version();
call platform.isolate_by_tenant('crm.accounts');

create table crm.contacts (
  tenant_id uuid not null,
  id uuid not null,
  first_name text constraint contacts_first_name_length check (length(first_name) between 1 and 100),
  last_name text constraint contacts_last_name_length check (length(last_name) between 1 and 100),
  name text generated always as (nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), '')) stored,
  name_key text,
  email text constraint contacts_email_length check (length(email) between 3 and 254),
  email_key text generated always as (lower(email)) stored,
  phone text constraint contacts_phone_length check (length(phone) between 3 and 40),
  phone_e164 text,
  title text constraint contacts_title_length check (length(title) <= 150),
  department text constraint contacts_department_length check (length(department) <= 100),
  account_id uuid,
  -- A copy, to sort by; renamed with the account.
  account_name text,
  owner_id uuid,
  lifecycle_stage text not null default 'lead' constraint contacts_stage_known check (lifecycle_stage in
    ('subscriber', 'lead', 'mql', 'sql', 'opportunity', 'customer', 'evangelist', 'former_customer')),
  mql_at timestamptz,
  sql_at timestamptz,
  opportunity_at timestamptz,
  customer_at timestamptz,
  former_customer_at timestamptz,
  linkedin_url text constraint contacts_linkedin_length check (length(linkedin_url) <= 500),
  country text constraint contacts_country_length check (length(country) = 2),
  region text constraint contacts_region_length check (length(region) <= 100),
  city text constraint contacts_city_length check (length(city) <= 100),
  timezone text,
  source text not null constraint contacts_source_form check (source ~ '^[a-z0-9_]{1,50}$'),
  email_status text not null default 'unknown' constraint contacts_email_status_known
    check (email_status in ('unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained')),
  call_status text not null default 'allowed' constraint contacts_call_status_known check (call_status in ('allowed', 'do_not_call')),
  processing_restricted boolean not null default false,
  last_activity_at timestamptz,
  last_engaged_at timestamptz,
  -- The lead this contact was made from.
  lead_id uuid,
  tags text[] not null default '{}' constraint contacts_tags_size check (cardinality(tags) <= 50),
  notes text constraint contacts_notes_length check (length(notes) <= 20000),
  custom jsonb not null default '{}',
  import_id uuid,
  merged_into_id uuid,
  search_text text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid,
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint contacts_somebody check (num_nonnulls(email, phone, last_name) > 0),
  constraint contacts_account_exists foreign key (tenant_id, account_id) references crm.accounts on delete set null (account_id),
  constraint contacts_owner_exists foreign key (tenant_id, owner_id) references identity.users on delete set null (owner_id),
  constraint contacts_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by),
  constraint contacts_deleter_exists foreign key (tenant_id, deleted_by) references identity.users on delete set null (deleted_by),
  constraint contacts_merged_into_exists foreign key (tenant_id, merged_into_id) references crm.contacts on delete set null (merged_into_id)
);
create unique index contacts_email_unique on crm.contacts (tenant_id, email_key) where deleted_at is null;
create index contacts_by_creation on crm.contacts (tenant_id, created_at, id) where deleted_at is null;
create index contacts_by_name on crm.contacts (tenant_id, name_key, id) where deleted_at is null;
create index contacts_by_email on crm.contacts (tenant_id, email_key, id) where deleted_at is null;
create index contacts_by_stage on crm.contacts (tenant_id, lifecycle_stage, created_at, id) where deleted_at is null;
create index contacts_in_stage_order on crm.contacts (tenant_id, lifecycle_stage, id) where deleted_at is null;
create index contacts_without_account on crm.contacts (tenant_id, created_at, id) where deleted_at is null and account_name is null;
create index contacts_by_account_name on crm.contacts (tenant_id, account_name, id) where deleted_at is null;
create index contacts_by_account on crm.contacts (tenant_id, account_id, created_at, id);
create index contacts_by_owner on crm.contacts (tenant_id, owner_id, created_at, id);
create index contacts_by_lead on crm.contacts (tenant_id, lead_id);
create index contacts_by_merge on crm.contacts (tenant_id, merged_into_id) where merged_into_id is not null;
create index contacts_by_creator on crm.contacts (tenant_id, created_by);
create index contacts_deleted on crm.contacts (tenant_id, deleted_at) where deleted_at is not null;
create index contacts_by_deleter on crm.contacts (tenant_id, deleted_by) where deleted_by is not null;
create index contacts_by_text on crm.contacts using gin (tenant_id, search_text gin_trgm_ops) where deleted_at is null;
create trigger count_version before update of first_name, last_name, email, phone, title, department, account_id, owner_id,
  lifecycle_stage, linkedin_url, country, region, city, timezone, source, email_status, call_status, processing_restricted, tags,
  notes, custom, merged_into_id, deleted_at
  on crm.contacts for each row execute function platform.count_version();
call platform.isolate_by_tenant('crm.contacts');
