-- No writer changes leads or deals until the triggers are replaced and the existing rows are counted.
lock table crm.leads, crm.opportunities, crm.lead_rollups, crm.lead_rollup_dirty in access exclusive mode;

-- Changes of the counted leads that are not in `crm.lead_rollups` yet. Every statement that changes leads adds signed rows, one per
-- day, owner and source, so writers do not wait for each other. Readers add both; a job moves the sums into the rollups.
create table crm.lead_deltas (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  day date not null,
  owner_id uuid not null,
  source text not null,
  leads integer not null default 0,
  score_sum bigint not null default 0,
  new_n integer not null default 0,
  contacted_n integer not null default 0,
  working_n integer not null default 0,
  nurturing_n integer not null default 0,
  qualified_n integer not null default 0,
  unqualified_n integer not null default 0,
  converted_n integer not null default 0,
  stage_subscriber_n integer not null default 0,
  stage_lead_n integer not null default 0,
  stage_mql_n integer not null default 0,
  stage_sql_n integer not null default 0,
  stage_opportunity_n integer not null default 0,
  stage_customer_n integer not null default 0,
  stage_evangelist_n integer not null default 0,
  grade_a_n integer not null default 0,
  grade_b_n integer not null default 0,
  grade_c_n integer not null default 0,
  unassigned_n integer not null default 0,
  awaiting_n integer not null default 0,
  reached_lead_n integer not null default 0,
  reached_mql_n integer not null default 0,
  reached_sql_n integer not null default 0,
  reached_opportunity_n integer not null default 0,
  reached_customer_n integer not null default 0,
  responded_n integer not null default 0,
  within_sla_n integer not null default 0,
  late_n integer not null default 0,
  overdue_n integer not null default 0,
  overdue_open_n integer not null default 0,
  pending_n integer not null default 0,
  answered_5m_n integer not null default 0,
  answered_15m_n integer not null default 0,
  answered_1h_n integer not null default 0,
  answered_4h_n integer not null default 0,
  answered_24h_n integer not null default 0,
  answered_later_n integer not null default 0,
  won_n integer not null default 0,
  won_base_minor bigint not null default 0,
  response_steps integer[],
  assigned_steps integer[],
  mql_steps integer[],
  sql_steps integer[],
  opportunity_steps integer[],
  customer_steps integer[],
  primary key (tenant_id, id)
);
call platform.isolate_by_tenant('crm.lead_deltas');
-- Across tenants: finds the workspaces with changes to add.
create policy upkeep_sees on crm.lead_deltas for select to app_system using (platform.current_tenant_id() is null);
-- Rows are deleted and inserted all the time.
alter table crm.lead_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- Updates of the same rows every minute stay in their page.
alter table crm.lead_rollups set (fillfactor = 70);

-- Histograms as arrays, the subscript is the bucket. Equal histograms are equal arrays: no zeros, and null when empty.
create function crm.add_steps(total integer[], steps integer[]) returns integer[]
language plpgsql immutable strict parallel safe as $$
begin
  for step in coalesce(array_lower(steps, 1), 1) .. coalesce(array_upper(steps, 1), 0) loop
    if steps[step] <> 0 then
      total[step] := coalesce(total[step], 0) + steps[step];
    end if;
  end loop;
  return total;
end $$;
create function crm.nonzero_steps(steps integer[]) returns integer[]
language plpgsql immutable strict parallel safe as $$
declare
  nonzero integer[] := '{}';
begin
  for step in coalesce(array_lower(steps, 1), 1) .. coalesce(array_upper(steps, 1), 0) loop
    if steps[step] <> 0 then
      nonzero[step] := steps[step];
    end if;
  end loop;
  return nullif(nonzero, '{}');
end $$;
create function crm.negate_steps(steps integer[]) returns integer[]
language plpgsql immutable strict parallel safe as $$
begin
  for step in array_lower(steps, 1) .. array_upper(steps, 1) loop
    steps[step] := -steps[step];
  end loop;
  return steps;
end $$;
create aggregate crm.sum_steps(integer[]) (sfunc = crm.add_steps, stype = integer[], initcond = '{}', finalfunc = crm.nonzero_steps);
grant execute on function crm.add_steps, crm.nonzero_steps, crm.negate_steps, crm.sum_steps to app, app_system;

-- What one lead adds to the counters: 1, 0 or its score, and its bucket in each histogram.
create function crm.figures_of_lead(status text, stage text, grade text, score smallint, owner_id uuid, response_ms bigint, created_at timestamptz,
  first_responded_at timestamptz, assigned_at timestamptz, sla_due_at timestamptz, sla_breached_at timestamptz, mql_at timestamptz,
  sql_at timestamptz, opportunity_at timestamptz, customer_at timestamptz)
returns table (leads integer, score_sum integer, new_n integer, contacted_n integer, working_n integer, nurturing_n integer,
  qualified_n integer, unqualified_n integer, converted_n integer, stage_subscriber_n integer, stage_lead_n integer, stage_mql_n integer,
  stage_sql_n integer, stage_opportunity_n integer, stage_customer_n integer, stage_evangelist_n integer, grade_a_n integer,
  grade_b_n integer, grade_c_n integer, unassigned_n integer, awaiting_n integer, reached_lead_n integer, reached_mql_n integer,
  reached_sql_n integer, reached_opportunity_n integer, reached_customer_n integer, responded_n integer, within_sla_n integer,
  late_n integer, overdue_n integer, overdue_open_n integer, pending_n integer, answered_5m_n integer, answered_15m_n integer,
  answered_1h_n integer, answered_4h_n integer, answered_24h_n integer, answered_later_n integer, response_step integer,
  assigned_step integer, mql_step integer, sql_step integer, opportunity_step integer, customer_step integer)
language sql immutable parallel safe as $$
  select 1, score, (status = 'new')::integer, (status = 'contacted')::integer, (status = 'working')::integer,
    (status = 'nurturing')::integer, (status = 'qualified')::integer, (status = 'unqualified')::integer, (status = 'converted')::integer,
    (stage = 'subscriber')::integer, (stage = 'lead')::integer, (stage = 'mql')::integer, (stage = 'sql')::integer,
    (stage = 'opportunity')::integer, (stage = 'customer')::integer, (stage = 'evangelist')::integer,
    (grade = 'A')::integer, (grade = 'B')::integer, (grade = 'C')::integer, (owner_id is null)::integer,
    (status = 'new' and first_responded_at is null)::integer, (stage <> 'subscriber' or mql_at is not null)::integer,
    (mql_at is not null)::integer, (sql_at is not null)::integer, (opportunity_at is not null)::integer, (customer_at is not null)::integer,
    (first_responded_at is not null)::integer, coalesce(first_responded_at <= sla_due_at, false)::integer,
    coalesce(first_responded_at > sla_due_at, false)::integer,
    (first_responded_at is null and sla_due_at is not null and sla_breached_at is not null)::integer,
    (first_responded_at is null and sla_due_at is not null and sla_breached_at is not null
      and status not in ('unqualified', 'converted'))::integer,
    (first_responded_at is null and sla_due_at is not null and sla_breached_at is null)::integer,
    coalesce(response_ms > -60000 and response_ms <= 300000, false)::integer,
    coalesce(response_ms > 300000 and response_ms <= 900000, false)::integer,
    coalesce(response_ms > 900000 and response_ms <= 3600000, false)::integer,
    coalesce(response_ms > 3600000 and response_ms <= 14400000, false)::integer,
    coalesce(response_ms > 14400000 and response_ms <= 86400000, false)::integer, coalesce(response_ms > 86400000, false)::integer,
    crm.duration_bucket(response_ms),
    case when assigned_at <= first_responded_at then
      crm.duration_bucket((extract(epoch from first_responded_at - assigned_at) * 1000)::bigint) end,
    crm.duration_bucket((extract(epoch from mql_at - created_at) * 1000)::bigint),
    crm.duration_bucket((extract(epoch from sql_at - created_at) * 1000)::bigint),
    crm.duration_bucket((extract(epoch from opportunity_at - created_at) * 1000)::bigint),
    crm.duration_bucket((extract(epoch from customer_at - created_at) * 1000)::bigint)
$$;
grant execute on function crm.figures_of_lead to app, app_system;

-- Day, owner and source of the deal's lead, null if it has none or a deleted one: what a deal counts under. Kept by triggers.
alter table crm.opportunities
  add column lead_created_on date,
  add column lead_owner_id uuid,
  add column lead_source text;

-- Creates the functions that share the list of counters: one for each operation, because the transition tables differ.
do $do$
declare
  lead_columns text := 'status, lifecycle_stage, grade, score, owner_id, response_ms, created_at, first_responded_at, assigned_at, '
    'sla_due_at, sla_breached_at, mql_at, sql_at, opportunity_at, customer_at';
  inputs text := 'tenant_id, id, created_on, source, deleted_at is null as is_counted, ' || lead_columns;
  counters text;
  sums text;
  zeros text;
  steps text;
  histograms text;
  counts text;
begin
  select string_agg(attname, ', ' order by attnum), string_agg('sum(sign * ' || attname || ')', ', ' order by attnum),
    string_agg('0', ', ')
  into counters, sums, zeros
  from pg_attribute
  where attrelid = 'crm.lead_deltas'::regclass and attnum > 5 and atttypid <> 'integer[]'::regtype and attname not like 'won%';
  select string_agg(attname, ', ' order by attnum), string_agg(
    format('crm.nonzero_steps(nullif(crm.count_steps(%1$s, sign) filter (where %1$s is not null), ''{}''))', rtrim(attname, 's')),
    ', ' order by attnum)
  into steps, histograms
  from pg_attribute where attrelid = 'crm.lead_deltas'::regclass and atttypid = 'integer[]'::regtype;

  -- Placeholder: the signed leads.
  counts := format($sql$
    select tenant_id, created_on, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), source, %s, %s
    from (%%s) as lead cross join lateral crm.figures_of_lead(%s) as figures
    where is_counted group by 1, 2, 3, 4$sql$, sums, histograms, lead_columns);

  execute format($sql$
    create function crm.count_leads(days date[]) returns setof crm.lead_deltas language sql stable as $fn$
      select counts.tenant_id, gen_random_uuid(), counts.day, counts.owner_id, counts.source, %1$s, 0, 0::bigint, %2$s from (%3$s
      ) as counts (tenant_id, day, owner_id, source, %4$s, %5$s)
      union all
      select lead.tenant_id, gen_random_uuid(), lead.created_on, coalesce(lead.owner_id, '00000000-0000-0000-0000-000000000000'),
        lead.source, %6$s, count(*)::integer, sum(amount_base_minor)::bigint, null, null, null, null, null, null
      from crm.leads lead join crm.opportunities deal on deal.tenant_id = lead.tenant_id and deal.lead_id = lead.id
      where lead.created_on = any (days) and lead.deleted_at is null and deal.deleted_at is null and kind = 'won'
      group by lead.tenant_id, 3, 4, 5
    $fn$;
    grant execute on function crm.count_leads to app, app_system;
  $sql$,
    replace(replace(counters, ', ', '::integer, ') || '::integer', 'score_sum::integer', 'score_sum::bigint'), steps,
    format(counts, 'select 1 as sign, ' || inputs || ' from crm.leads where created_on = any (days) and deleted_at is null'),
    counters, steps, '0, 0::bigint' || substr(zeros, 5));

  execute (
    select string_agg(format($sql$
      create function crm.%1$s() returns trigger language plpgsql as $fn$
      begin
        %2$s
        insert into crm.lead_deltas (tenant_id, day, owner_id, source, %3$s, %4$s)
        select * from (%5$s
        ) as counts (tenant_id, day, owner_id, source, %3$s, %4$s)
        where (%3$s) <> (%6$s) or num_nonnulls(%4$s) > 0;
        return null;
      end $fn$;
    $sql$, name, guard, counters, steps, format(counts, signed), zeros), '')
    from (values
      ('count_new_leads', '', 'select 1 as sign, ' || inputs || ' from new_leads'),
      ('count_changed_leads', format($sql$
        if not exists (select %1$s from new_leads except select %1$s from old_leads) then
          return null;
        end if;$sql$, inputs),
        'select 1 as sign, ' || inputs || ' from new_leads union all select -1, ' || inputs || ' from old_leads'),
      ('count_removed_leads', '', 'select -1 as sign, ' || inputs || ' from old_leads')
    ) as functions (name, guard, signed)
  );
end $do$;

create function crm.count_won_deals() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into crm.lead_deltas (tenant_id, day, owner_id, source, won_n, won_base_minor)
      select tenant_id, lead_created_on, lead_owner_id, lead_source, count(*), sum(amount_base_minor) from new_deals
      where kind = 'won' and deleted_at is null and lead_created_on is not null group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into crm.lead_deltas (tenant_id, day, owner_id, source, won_n, won_base_minor)
      select tenant_id, lead_created_on, lead_owner_id, lead_source, -count(*), -sum(amount_base_minor) from old_deals
      where kind = 'won' and deleted_at is null and lead_created_on is not null group by 1, 2, 3, 4;
  else
    insert into crm.lead_deltas (tenant_id, day, owner_id, source, won_n, won_base_minor)
      select tenant_id, lead_created_on, lead_owner_id, lead_source, sum(sign), sum(sign * amount_base_minor) from (
        select 1 as sign, tenant_id, lead_created_on, lead_owner_id, lead_source, amount_base_minor from new_deals
        where kind = 'won' and deleted_at is null and lead_created_on is not null
        union all
        select -1, tenant_id, lead_created_on, lead_owner_id, lead_source, amount_base_minor from old_deals
        where kind = 'won' and deleted_at is null and lead_created_on is not null
      ) as changes
      group by 1, 2, 3, 4 having sum(sign) <> 0 or sum(sign * amount_base_minor) <> 0;
  end if;
  return null;
end $$;

-- The lock waits for a concurrent change of the lead, whose trigger does not see this deal yet.
create function crm.copy_lead_to_deal() returns trigger
language plpgsql as $$
begin
  select created_on, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), source
  into new.lead_created_on, new.lead_owner_id, new.lead_source
  from crm.leads where tenant_id = new.tenant_id and id = new.lead_id and deleted_at is null for share;
  return new;
end $$;

create function crm.copy_leads_to_deals() returns trigger
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  deal_ids uuid[];
begin
  if not exists (
    select id, created_on, owner_id, source, deleted_at is null from new_leads
    except
    select id, created_on, owner_id, source, deleted_at is null from old_leads
  ) then
    return null;
  end if;
  deal_ids := array(
    select deal.id from new_leads lead cross join lateral (
      select id from crm.opportunities where tenant_id = lead.tenant_id and lead_id = lead.id and lead_id is not null offset 0
    ) as deal
  );
  if deal_ids = '{}' then
    return null;
  end if;
  perform from crm.opportunities where tenant_id in (select tenant_id from new_leads) and id = any (deal_ids)
    order by id for no key update;
  update crm.opportunities deal
  set lead_created_on = lead.created_on, lead_owner_id = lead.owner_id, lead_source = lead.source
  from (
    select tenant_id, id, case when deleted_at is null then created_on end as created_on,
      case when deleted_at is null then coalesce(owner_id, '00000000-0000-0000-0000-000000000000') end as owner_id,
      case when deleted_at is null then source end as source
    from new_leads
  ) as lead
  where deal.tenant_id = lead.tenant_id and deal.id = any (deal_ids) and deal.lead_id = lead.id
    and (deal.lead_created_on, deal.lead_owner_id, deal.lead_source) is distinct from (lead.created_on, lead.owner_id, lead.source);
  return null;
end $$;

drop trigger mark_days_of_new on crm.leads;
drop trigger mark_days_of_changed on crm.leads;
drop trigger mark_days_of_removed on crm.leads;
drop trigger mark_days_of_new on crm.opportunities;
drop trigger mark_days_of_changed on crm.opportunities;
drop trigger mark_days_of_removed on crm.opportunities;
drop function crm.mark_days_of_leads, crm.mark_days_of_deals;

alter table crm.leads no force row level security;
alter table crm.opportunities no force row level security;
alter table crm.lead_rollups no force row level security;
alter table crm.lead_rollup_dirty no force row level security;
alter table crm.lead_deltas no force row level security;
update crm.opportunities deal
  set lead_created_on = lead.created_on, lead_source = lead.source,
    lead_owner_id = coalesce(lead.owner_id, '00000000-0000-0000-0000-000000000000')
  from crm.leads lead where lead.tenant_id = deal.tenant_id and lead.id = deal.lead_id and lead.deleted_at is null;
-- Days that were not counted yet become changes.
delete from crm.lead_rollups rollup using crm.lead_rollup_dirty dirty
  where dirty.tenant_id = rollup.tenant_id and dirty.day = rollup.day;
insert into crm.lead_deltas
  select counts.* from crm.count_leads(array(select distinct day from crm.lead_rollup_dirty)) as counts
  where (tenant_id, day) in (select tenant_id, day from crm.lead_rollup_dirty);
delete from crm.lead_rollup_dirty;
alter table crm.lead_deltas force row level security;
alter table crm.lead_rollup_dirty force row level security;
alter table crm.lead_rollups force row level security;
alter table crm.opportunities force row level security;
alter table crm.leads force row level security;

-- Processes of the previous version still read this table. Empty, it makes them show the rollups as they are, and without the
-- right to delete from it their rebuild, which knows no deltas, fails before it changes anything. The next version drops it.
revoke insert, update, delete on crm.lead_rollup_dirty from app, app_system;
grant usage on schema crm to app_retention;
grant select, delete on crm.lead_rollup_dirty to app_retention;

create trigger count_new after insert on crm.leads
  referencing new table as new_leads for each statement execute function crm.count_new_leads();
create trigger count_changed after update on crm.leads
  referencing old table as old_leads new table as new_leads for each statement execute function crm.count_changed_leads();
create trigger count_removed after delete on crm.leads
  referencing old table as old_leads for each statement execute function crm.count_removed_leads();
create trigger copy_to_deals after update on crm.leads
  referencing old table as old_leads new table as new_leads for each statement execute function crm.copy_leads_to_deals();
create trigger copy_lead before insert or update of lead_id on crm.opportunities
  for each row execute function crm.copy_lead_to_deal();
create trigger count_new after insert on crm.opportunities
  referencing new table as new_deals for each statement execute function crm.count_won_deals();
create trigger count_changed after update on crm.opportunities
  referencing old table as old_deals new table as new_deals for each statement execute function crm.count_won_deals();
create trigger count_removed after delete on crm.opportunities
  referencing old table as old_deals for each statement execute function crm.count_won_deals();
