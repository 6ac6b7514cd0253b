-- Counts of the leads of a day (the day they were created, in the workspace's time zone), cut four ways: all of them, by owner,
-- by source, by both. A question reads the cut it asks for, so it costs as much with a million leads as with a thousand.
create table crm.lead_rollups (
  tenant_id uuid not null,
  cut text not null constraint lead_rollups_cut_known check (cut in ('all', 'owner', 'source', 'owner_source')),
  -- The nil id stands for nobody, and where the cut is not by owner; an empty source likewise.
  owner_id uuid not null,
  source text not null,
  day date not null,
  leads integer not null,
  score_sum bigint not null,
  new_n integer not null,
  contacted_n integer not null,
  working_n integer not null,
  nurturing_n integer not null,
  qualified_n integer not null,
  unqualified_n integer not null,
  converted_n integer not null,
  stage_subscriber_n integer not null,
  stage_lead_n integer not null,
  stage_mql_n integer not null,
  stage_sql_n integer not null,
  stage_opportunity_n integer not null,
  stage_customer_n integer not null,
  stage_evangelist_n integer not null,
  grade_a_n integer not null,
  grade_b_n integer not null,
  grade_c_n integer not null,
  unassigned_n integer not null,
  awaiting_n integer not null,
  reached_lead_n integer not null,
  reached_mql_n integer not null,
  reached_sql_n integer not null,
  reached_opportunity_n integer not null,
  reached_customer_n integer not null,
  responded_n integer not null,
  within_sla_n integer not null,
  late_n integer not null,
  -- Not answered yet: the time of some is up and that was noted, the others are not due, or due since a moment ago.
  overdue_n integer not null,
  overdue_open_n integer not null,
  pending_n integer not null,
  answered_5m_n integer not null,
  answered_15m_n integer not null,
  answered_1h_n integer not null,
  answered_4h_n integer not null,
  answered_24h_n integer not null,
  answered_later_n integer not null,
  won_n integer not null,
  won_base_minor bigint not null,
  -- How long things took, counted in steps that grow with the time: the subscript is the step. Null where nothing was counted.
  response_steps integer[],
  assigned_steps integer[],
  mql_steps integer[],
  sql_steps integer[],
  opportunity_steps integer[],
  customer_steps integer[],
  primary key (tenant_id, cut, owner_id, day, source)
);
-- What somebody owns by source, and all owners of a source, are both some days of one range.
create index lead_rollups_by_source on crm.lead_rollups (tenant_id, cut, source, day);
create index lead_rollups_by_day on crm.lead_rollups (tenant_id, day);
call platform.isolate_by_tenant('crm.lead_rollups');

create function crm.add_to_step(counted integer[], step integer, n integer) returns integer[]
language plpgsql immutable strict as $$
begin
  counted[step] := coalesce(counted[step], 0) + n;
  return counted;
end $$;
create aggregate crm.count_steps(step integer, n integer) (sfunc = crm.add_to_step, stype = integer[], initcond = '{}');
grant execute on function crm.add_to_step, crm.count_steps to app, app_system;

-- One row per change, never a shared one: the job deletes the marks it sees and counts after that, so a late commit leaves its
-- mark for the next run. While a day is marked it is counted live.
create table crm.lead_rollup_dirty (
  tenant_id uuid not null,
  id uuid not null,
  day date not null,
  primary key (tenant_id, id)
);
create index lead_rollup_dirty_by_day on crm.lead_rollup_dirty (tenant_id, day);
call platform.isolate_by_tenant('crm.lead_rollup_dirty');
-- Across tenants, and only there: where there is something to count.
create policy upkeep_sees on crm.lead_rollup_dirty for select to app_system
  using (platform.current_tenant_id() is null);

-- Whatever changes a lead, or a deal that came of one, marks the lead's day. Nobody has to remember it.
create function crm.mark_days_of_leads() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into crm.lead_rollup_dirty (tenant_id, id, day)
      select tenant_id, gen_random_uuid(), created_on from (select distinct tenant_id, created_on from former) as days;
  end if;
  if tg_op <> 'DELETE' then
    insert into crm.lead_rollup_dirty (tenant_id, id, day)
      select tenant_id, gen_random_uuid(), created_on from (select distinct tenant_id, created_on from latter) as days;
  end if;
  return null;
end $$;
create trigger mark_days_of_new after insert on crm.leads
  referencing new table as latter for each statement execute function crm.mark_days_of_leads();
create trigger mark_days_of_changed after update on crm.leads
  referencing old table as former new table as latter for each statement execute function crm.mark_days_of_leads();
create trigger mark_days_of_removed after delete on crm.leads
  referencing old table as former for each statement execute function crm.mark_days_of_leads();

create function crm.mark_days_of_deals() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into crm.lead_rollup_dirty (tenant_id, id, day)
      select tenant_id, gen_random_uuid(), created_on from (
        select distinct lead.tenant_id, lead.created_on from former join crm.leads lead on lead.tenant_id = former.tenant_id and lead.id = former.lead_id
      ) as days;
  end if;
  if tg_op <> 'DELETE' then
    insert into crm.lead_rollup_dirty (tenant_id, id, day)
      select tenant_id, gen_random_uuid(), created_on from (
        select distinct lead.tenant_id, lead.created_on from latter join crm.leads lead on lead.tenant_id = latter.tenant_id and lead.id = latter.lead_id
      ) as days;
  end if;
  return null;
end $$;
create trigger mark_days_of_new after insert on crm.opportunities
  referencing new table as latter for each statement execute function crm.mark_days_of_deals();
create trigger mark_days_of_changed after update on crm.opportunities
  referencing old table as former new table as latter for each statement execute function crm.mark_days_of_deals();
create trigger mark_days_of_removed after delete on crm.opportunities
  referencing old table as former for each statement execute function crm.mark_days_of_deals();
