-- Open leads of a user: the sum of the user's rows. Every statement that changes leads adds signed rows instead of updating a
-- shared one, so that writers do not wait for each other; readers and a nightly schedule replace many rows by their sum.
create table crm.open_lead_counts (
  tenant_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  leads integer not null,
  primary key (tenant_id, user_id, id)
);
call platform.isolate_by_tenant('crm.open_lead_counts');

create function crm.is_open_lead(status text, deleted_at timestamptz) returns boolean
  language sql immutable parallel safe
  return status not in ('converted', 'unqualified') and deleted_at is null;
grant execute on function crm.is_open_lead to app, app_system;

create function crm.count_open_leads() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into crm.open_lead_counts (tenant_id, user_id, id, leads)
      select tenant_id, owner_id, gen_random_uuid(), count(*) from new_leads
      where owner_id is not null and crm.is_open_lead(status, deleted_at) group by tenant_id, owner_id;
  elsif tg_op = 'DELETE' then
    insert into crm.open_lead_counts (tenant_id, user_id, id, leads)
      select tenant_id, owner_id, gen_random_uuid(), -count(*) from old_leads
      where owner_id is not null and crm.is_open_lead(status, deleted_at) group by tenant_id, owner_id;
  else
    insert into crm.open_lead_counts (tenant_id, user_id, id, leads)
      select tenant_id, owner_id, gen_random_uuid(), sum(leads) from (
        select tenant_id, owner_id, 1 as leads from new_leads where owner_id is not null and crm.is_open_lead(status, deleted_at)
        union all
        select tenant_id, owner_id, -1 from old_leads where owner_id is not null and crm.is_open_lead(status, deleted_at)
      ) as changes
      group by tenant_id, owner_id having sum(leads) <> 0;
  end if;
  return null;
end $$;
create trigger count_open_of_new after insert on crm.leads
  referencing new table as new_leads for each statement execute function crm.count_open_leads();
create trigger count_open_of_changed after update on crm.leads
  referencing old table as old_leads new table as new_leads for each statement execute function crm.count_open_leads();
create trigger count_open_of_removed after delete on crm.leads
  referencing old table as old_leads for each statement execute function crm.count_open_leads();

-- The triggers block writers until this transaction ends, so no change is missed or counted twice.
alter table crm.leads no force row level security;
alter table crm.open_lead_counts no force row level security;
insert into crm.open_lead_counts (tenant_id, user_id, id, leads)
  select tenant_id, owner_id, gen_random_uuid(), count(*) from crm.leads
  where owner_id is not null and crm.is_open_lead(status, deleted_at) group by tenant_id, owner_id;
alter table crm.open_lead_counts force row level security;
alter table crm.leads force row level security;

-- Leads assigned to the user after `assigned_since`. Null until the first round-robin counts them.
alter table crm.assignment_state
  add column assigned_leads integer not null default 0,
  add column assigned_since timestamptz;

create function crm.count_assignments() returns trigger
language plpgsql as $$
begin
  insert into crm.assignment_state as state (tenant_id, user_id, last_assigned_at, assigned_leads)
    select tenant_id, user_id, max(at), count(*) from new_assignments group by tenant_id, user_id order by tenant_id, user_id
    on conflict on constraint assignment_state_pkey do update set
      last_assigned_at = greatest(state.last_assigned_at, excluded.last_assigned_at),
      assigned_leads = state.assigned_leads + excluded.assigned_leads;
  return null;
end $$;
create trigger count_new after insert on crm.lead_assignments
  referencing new table as new_assignments for each statement execute function crm.count_assignments();

create function crm.uncount_assignments() returns trigger
language plpgsql as $$
declare
  removed record;
begin
  for removed in select distinct tenant_id, user_id from old_assignments order by tenant_id, user_id loop
    update crm.assignment_state state
    set assigned_leads = state.assigned_leads - (
      select count(*) from old_assignments assignment where assignment.user_id = state.user_id and assignment.at > state.assigned_since)
    where state.tenant_id = removed.tenant_id and state.user_id = removed.user_id and exists (
      select from old_assignments assignment where assignment.user_id = state.user_id and assignment.at > state.assigned_since);
  end loop;
  return null;
end $$;
create trigger uncount_removed after delete on crm.lead_assignments
  referencing old table as old_assignments for each statement execute function crm.uncount_assignments();
