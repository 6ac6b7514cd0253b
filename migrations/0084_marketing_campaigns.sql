create table marketing.campaigns (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint campaigns_name_length check (length(name) between 1 and 200),
  name_key text not null generated always as (lower(name)) stored,
  type text not null constraint campaigns_type_known check (type in ('email', 'webinar', 'event', 'paid_search', 'paid_social',
    'display', 'content', 'direct_mail', 'telemarketing', 'social', 'referral', 'partner', 'product', 'other')),
  status text not null default 'draft' constraint campaigns_status_known
    check (status in ('draft', 'scheduled', 'active', 'paused', 'completed', 'cancelled', 'archived')),
  description text constraint campaigns_description_length check (length(description) <= 5000),
  start_on date,
  end_on date,
  -- The default order in one ascending number: active campaigns first, and the latest start first among those of one status.
  list_rank integer not null generated always as (
    array_position(array['active', 'scheduled', 'paused', 'draft', 'completed', 'cancelled', 'archived'], status) * 1000000
    + coalesce(500000 - (start_on - date '2000-01-01'), 999999)) stored,
  budget_minor bigint constraint campaigns_budget_not_negative check (budget_minor >= 0),
  budget_currency text,
  budget_base_minor bigint,
  actual_cost_minor bigint constraint campaigns_cost_not_negative check (actual_cost_minor >= 0),
  actual_cost_currency text,
  actual_cost_base_minor bigint,
  expected_revenue_minor bigint constraint campaigns_revenue_not_negative check (expected_revenue_minor >= 0),
  expected_revenue_currency text,
  expected_revenue_base_minor bigint,
  expected_responses integer constraint campaigns_responses_not_negative check (expected_responses >= 0),
  parent_campaign_id uuid,
  owner_id uuid,
  source text,
  utm_campaign text constraint campaigns_utm_length check (length(utm_campaign) between 1 and 200),
  -- In lower case, written with utm_campaign.
  utm_key text,
  member_statuses jsonb not null,
  tags text[] not null default '{}' constraint campaigns_tags_size check (cardinality(tags) <= 50),
  search_text text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint campaigns_dates_in_order check (end_on >= start_on),
  constraint campaigns_budget_is_money check (num_nonnulls(budget_minor, budget_currency, budget_base_minor) in (0, 3)),
  constraint campaigns_cost_is_money check (num_nonnulls(actual_cost_minor, actual_cost_currency, actual_cost_base_minor) in (0, 3)),
  constraint campaigns_revenue_is_money
    check (num_nonnulls(expected_revenue_minor, expected_revenue_currency, expected_revenue_base_minor) in (0, 3)),
  constraint campaigns_utm_has_key check ((utm_campaign is null) = (utm_key is null)),
  constraint campaigns_parent_exists foreign key (tenant_id, parent_campaign_id) references marketing.campaigns
    on delete set null (parent_campaign_id) deferrable initially immediate,
  constraint campaigns_owner_exists foreign key (tenant_id, owner_id) references identity.users on delete set null (owner_id),
  constraint campaigns_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by)
);
create unique index campaigns_name_unique on marketing.campaigns (tenant_id, name_key) where status <> 'archived';
create unique index campaigns_utm_unique on marketing.campaigns (tenant_id, utm_key)
  where utm_key is not null and status in ('draft', 'scheduled', 'active', 'paused');
create index campaigns_by_rank on marketing.campaigns (tenant_id, list_rank, id);
create index campaigns_by_type on marketing.campaigns (tenant_id, type, list_rank, id);
create index campaigns_by_owner on marketing.campaigns (tenant_id, owner_id, list_rank, id);
create index campaigns_by_parent on marketing.campaigns (tenant_id, parent_campaign_id) where parent_campaign_id is not null;
create index campaigns_by_creator on marketing.campaigns (tenant_id, created_by);
create trigger count_version before update of name, type, status, description, start_on, end_on, budget_minor, budget_currency,
  actual_cost_minor, actual_cost_currency, expected_revenue_minor, expected_revenue_currency, expected_responses, parent_campaign_id,
  owner_id, source, utm_campaign, member_statuses, tags
  on marketing.campaigns for each row execute function platform.count_version();
call platform.isolate_by_tenant('marketing.campaigns');

-- One row per person: a lead, a contact, or a converted lead and its contact.
create table marketing.campaign_members (
  tenant_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  lead_id uuid,
  contact_id uuid,
  status text not null constraint campaign_members_status_form check (status ~ '^[a-z][a-z0-9_]{0,39}$'),
  responded boolean not null generated always as (responded_at is not null) stored,
  first_touched_at timestamptz not null,
  responded_at timestamptz,
  added_by uuid,
  added_via text not null constraint campaign_members_origin_known
    check (added_via in ('manual', 'segment', 'cadence', 'utm', 'import', 'api')),
  note text constraint campaign_members_note_length check (length(note) <= 500),
  -- True while the person is deleted or merged into another one.
  is_hidden boolean not null default false,
  is_contact boolean not null generated always as (contact_id is not null) stored,
  -- What a merge of leads changed in the row of the surviving lead, so that it can be undone.
  merged_into jsonb,
  lead_created_at timestamptz,
  -- The first campaign of a lead that was created at most seven days before.
  is_new_lead boolean not null default false,
  is_mql boolean not null default false,
  is_sql boolean not null default false,
  is_converted boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint campaign_members_lead_unique unique (tenant_id, lead_id, campaign_id),
  constraint campaign_members_contact_unique unique (tenant_id, contact_id, campaign_id),
  constraint campaign_members_campaign_exists foreign key (tenant_id, campaign_id) references marketing.campaigns on delete cascade,
  constraint campaign_members_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete set null (lead_id),
  constraint campaign_members_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete set null (contact_id),
  constraint campaign_members_adder_exists foreign key (tenant_id, added_by) references identity.users on delete set null (added_by)
);
create index campaign_members_by_touch on marketing.campaign_members (tenant_id, campaign_id, first_touched_at, id) where not is_hidden;
create index campaign_members_by_status on marketing.campaign_members (tenant_id, campaign_id, status, first_touched_at, id);
create index campaign_members_by_response on marketing.campaign_members (tenant_id, campaign_id, responded, first_touched_at, id)
  where not is_hidden;
create index campaign_members_by_kind on marketing.campaign_members (tenant_id, campaign_id, is_contact, first_touched_at, id)
  where not is_hidden;
create index campaign_members_without_person on marketing.campaign_members (tenant_id, id) where lead_id is null and contact_id is null;
create index campaign_members_by_adder on marketing.campaign_members (tenant_id, added_by) where added_by is not null;
create trigger count_version before update of status, note on marketing.campaign_members
  for each row execute function platform.count_version();

create function marketing.hide_member_without_person() returns trigger
language plpgsql as $$
begin
  new.is_hidden := true;
  return new;
end $$;
create trigger hide_without_person before update of lead_id, contact_id on marketing.campaign_members
  for each row when (new.lead_id is null and new.contact_id is null) execute function marketing.hide_member_without_person();
call platform.isolate_by_tenant('marketing.campaign_members');

-- Counters of a campaign: the sum of its rows. Every statement that changes members adds signed rows instead of updating a shared one,
-- so that writers do not wait for each other; a schedule replaces them by their sum.
create table marketing.campaign_counts (
  tenant_id uuid not null,
  campaign_id uuid not null,
  id uuid not null,
  status text not null,
  is_contact boolean not null,
  is_delta boolean not null default true,
  members integer not null,
  responded integer not null,
  new_leads integer not null,
  mqls integer not null,
  sqls integer not null,
  converted integer not null,
  primary key (tenant_id, campaign_id, id),
  constraint campaign_counts_campaign_exists foreign key (tenant_id, campaign_id) references marketing.campaigns on delete cascade
);
create index campaign_counts_to_fold on marketing.campaign_counts (tenant_id, campaign_id) where is_delta;
call platform.isolate_by_tenant('marketing.campaign_counts');
call platform.open_to_system('marketing.campaign_counts');

create function marketing.count_members() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into marketing.campaign_counts (tenant_id, campaign_id, id, status, is_contact, members, responded, new_leads, mqls, sqls, converted)
      select tenant_id, campaign_id, gen_random_uuid(), status, is_contact, count(*), count(*) filter (where responded),
        count(*) filter (where is_new_lead), count(*) filter (where is_mql), count(*) filter (where is_sql),
        count(*) filter (where is_converted)
      from new_members where not is_hidden group by tenant_id, campaign_id, status, is_contact;
  else
    insert into marketing.campaign_counts (tenant_id, campaign_id, id, status, is_contact, members, responded, new_leads, mqls, sqls, converted)
      select tenant_id, campaign_id, gen_random_uuid(), status, is_contact, sum(sign), sum(sign * responded::integer),
        sum(sign * is_new_lead::integer), sum(sign * is_mql::integer), sum(sign * is_sql::integer), sum(sign * is_converted::integer)
      from (
        select 1 as sign, tenant_id, campaign_id, status, is_contact, is_hidden, responded, is_new_lead, is_mql, is_sql, is_converted
        from new_members
        union all
        select -1, tenant_id, campaign_id, status, is_contact, is_hidden, responded, is_new_lead, is_mql, is_sql, is_converted
        from old_members
      ) as changed
      where not is_hidden group by tenant_id, campaign_id, status, is_contact
      having (sum(sign), sum(sign * responded::integer), sum(sign * is_new_lead::integer), sum(sign * is_mql::integer),
        sum(sign * is_sql::integer), sum(sign * is_converted::integer)) <> (0, 0, 0, 0, 0, 0);
  end if;
  return null;
end $$;

-- The members of a deleted campaign are deleted with it, and so are its counters.
create function marketing.uncount_members() returns trigger
language plpgsql as $$
begin
  insert into marketing.campaign_counts (tenant_id, campaign_id, id, status, is_contact, members, responded, new_leads, mqls, sqls, converted)
    select tenant_id, campaign_id, gen_random_uuid(), status, is_contact, -count(*), -count(*) filter (where responded),
      -count(*) filter (where is_new_lead), -count(*) filter (where is_mql), -count(*) filter (where is_sql),
      -count(*) filter (where is_converted)
    from old_members member where not is_hidden
      and exists (select from marketing.campaigns campaign where campaign.tenant_id = member.tenant_id and campaign.id = member.campaign_id)
    group by tenant_id, campaign_id, status, is_contact;
  return null;
end $$;
create trigger count_new after insert on marketing.campaign_members
  referencing new table as new_members for each statement execute function marketing.count_members();
create trigger count_changed after update on marketing.campaign_members
  referencing old table as old_members new table as new_members for each statement execute function marketing.count_members();
create trigger uncount_removed after delete on marketing.campaign_members
  referencing old table as old_members for each statement execute function marketing.uncount_members();

-- Tags of campaigns are among those of the records of crm.
alter table crm.record_tags drop constraint record_tags_entity_known;
alter table crm.record_tags add constraint record_tags_entity_known
  check (entity_type in ('lead', 'contact', 'account', 'opportunity', 'campaign')) not valid;
