-- Named sets of leads, contacts or accounts: given by rules (dynamic) or as a list of members (static).
create table marketing.segments (
  tenant_id uuid not null,
  id uuid not null,
  object_type text collate "C" not null
    constraint segments_object_type_known check (object_type in ('lead', 'contact', 'account')),
  name text not null constraint segments_name_length check (length(name) between 1 and 150),
  name_key text not null generated always as (lower(name)) stored,
  description text constraint segments_description_length check (length(description) <= 2000),
  kind text collate "C" not null constraint segments_kind_known check (kind in ('dynamic', 'static')),
  -- Of a static segment: the rules that selected its first members.
  rules jsonb,
  state text collate "C" not null default 'ok' constraint segments_state_known check (state in ('ok', 'invalid')),
  problems jsonb not null default '[]',
  owner_id uuid,
  created_by uuid,
  search_text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint segments_pkey primary key (tenant_id, id),
  constraint segments_name_unique unique (tenant_id, object_type, name_key),
  constraint segments_dynamic_with_rules check (kind = 'static' or rules is not null),
  constraint segments_owner_exists foreign key (tenant_id, owner_id) references identity.users on delete set null (owner_id),
  constraint segments_creator_exists foreign key (tenant_id, created_by) references identity.users
    on delete set null (created_by)
);
create index segments_by_name on marketing.segments (tenant_id, name_key, id);
create index segments_by_owner on marketing.segments (tenant_id, owner_id, id) where owner_id is not null;
create index segments_by_creator on marketing.segments (tenant_id, created_by) where created_by is not null;
create trigger count_version before update of name, description, kind, rules, owner_id
  on marketing.segments for each row execute function platform.count_version();
call platform.isolate_by_tenant('marketing.segments');

-- Members of static segments. One column per type, so that merges of records can move the rows.
create table marketing.segment_members (
  tenant_id uuid not null,
  segment_id uuid not null,
  lead_id uuid,
  contact_id uuid,
  account_id uuid,
  record_id uuid not null generated always as (coalesce(lead_id, contact_id, account_id)) stored,
  added_at timestamptz not null default now(),
  added_by uuid,
  constraint segment_members_pkey primary key (tenant_id, segment_id, record_id),
  constraint segment_members_one_record check (num_nonnulls(lead_id, contact_id, account_id) = 1),
  constraint segment_members_segment_exists foreign key (tenant_id, segment_id) references marketing.segments on delete cascade,
  constraint segment_members_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade,
  constraint segment_members_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete cascade,
  constraint segment_members_account_exists foreign key (tenant_id, account_id) references crm.accounts on delete cascade
);
create index segment_members_by_lead on marketing.segment_members (tenant_id, lead_id) where lead_id is not null;
create index segment_members_by_contact on marketing.segment_members (tenant_id, contact_id) where contact_id is not null;
create index segment_members_by_account on marketing.segment_members (tenant_id, account_id) where account_id is not null;
call platform.isolate_by_tenant('marketing.segment_members');

-- What the rules of a segment refer to: a custom field as 'lead.custom.region', or the id of a record.
create table marketing.segment_references (
  tenant_id uuid not null,
  segment_id uuid not null,
  kind text collate "C" not null constraint segment_references_kind_form check (kind ~ '^[a-z][a-z_]{0,39}$'),
  ref text collate "C" not null constraint segment_references_ref_length check (length(ref) between 1 and 200),
  constraint segment_references_pkey primary key (tenant_id, segment_id, kind, ref),
  constraint segment_references_segment_exists foreign key (tenant_id, segment_id) references marketing.segments
    on delete cascade
);
create index segment_references_by_ref on marketing.segment_references (tenant_id, kind, ref, segment_id);
call platform.isolate_by_tenant('marketing.segment_references');
