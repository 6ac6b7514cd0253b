-- No writer changes deals until the existing ones are counted.
lock table crm.opportunities in share row exclusive mode;

-- Sums of deals by stage and owner, which the board reads. Not in `crm.deal_sums`: with the day of closing in the key, a workspace has
-- about as many rows as deals. `owner_id` is the nil UUID for deals without owner.
create table crm.stage_sums (
  tenant_id uuid not null,
  pipeline_id uuid not null,
  -- First day of the UTC month in which the deals were closed; 'infinity' for open deals, so that a range has them and recent months.
  closed_month date not null,
  owner_id uuid not null,
  stage_key text collate "C" not null,
  deals bigint not null,
  minor numeric not null,
  -- Amounts times probability, in 1/10,000 of a minor unit.
  weighted numeric not null,
  primary key (tenant_id, pipeline_id, closed_month, owner_id, stage_key)
) with (fillfactor = 70);
call platform.isolate_by_tenant('crm.stage_sums');

-- Changes that are not in `crm.stage_sums` yet, kept like `crm.deal_deltas`. Its own table, because processes of the previous version
-- delete the changes that they move into `crm.deal_sums`.
create table crm.stage_deltas (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  pipeline_id uuid not null,
  closed_month date not null,
  owner_id uuid not null,
  stage_key text collate "C" not null,
  deals bigint not null,
  minor numeric not null,
  weighted numeric not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
call platform.isolate_by_tenant('crm.stage_deltas');
-- Across tenants: finds the workspaces with changes to add.
create policy upkeep_sees on crm.stage_deltas for select to app_system using (platform.current_tenant_id() is null);

create function crm.closed_month(kind text, closed_at timestamptz) returns date language sql immutable parallel safe
  return case when kind = 'open' then date 'infinity' else coalesce(date_trunc('month', closed_at at time zone 'UTC')::date, date '-infinity') end;
grant execute on function crm.closed_month(text, timestamptz) to app, app_system;

-- One function per operation, because the transition tables differ.
do $do$
declare
  inputs text := $sql$ as sign, tenant_id, pipeline_id, crm.closed_month(kind, closed_at) as closed_month,
    coalesce(owner_id, '00000000-0000-0000-0000-000000000000') as owner_id, stage_key, coalesce(amount_base_minor, 0)::numeric as minor,
    probability_basis $sql$;
  counted text := $sql$ where deleted_at is null $sql$;
begin
  execute (
    select string_agg(format($sql$
      create function crm.%1$s() returns trigger language plpgsql as $fn$
      begin
        insert into crm.stage_deltas (tenant_id, pipeline_id, closed_month, owner_id, stage_key, deals, minor, weighted)
        select tenant_id, pipeline_id, closed_month, owner_id, stage_key, sum(sign), sum(sign * minor), sum(sign * minor * probability_basis)
        from (%2$s) as changes group by 1, 2, 3, 4, 5
        having (sum(sign), sum(sign * minor), sum(sign * minor * probability_basis)) <> (0, 0, 0);
        return null;
      end $fn$;
    $sql$, name, changes), '')
    from (values
      ('sum_stages_of_new_deals', 'select 1' || inputs || 'from new_deals' || counted),
      ('sum_stages_of_changed_deals',
        'select 1' || inputs || 'from new_deals' || counted || 'union all select -1' || inputs || 'from old_deals' || counted),
      ('sum_stages_of_removed_deals', 'select -1' || inputs || 'from old_deals' || counted)
    ) as functions (name, changes)
  );
end $do$;

alter table crm.opportunities no force row level security;
alter table crm.stage_sums no force row level security;
insert into crm.stage_sums
  select tenant_id, pipeline_id, crm.closed_month(kind, closed_at), coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), stage_key,
    count(*), coalesce(sum(amount_base_minor), 0), coalesce(sum(amount_base_minor::numeric * probability_basis), 0)
  from crm.opportunities where deleted_at is null group by 1, 2, 3, 4, 5;
alter table crm.stage_sums force row level security;
alter table crm.opportunities force row level security;

create trigger sum_stages_of_new after insert on crm.opportunities
  referencing new table as new_deals for each statement execute function crm.sum_stages_of_new_deals();
create trigger sum_stages_of_changed after update on crm.opportunities
  referencing old table as old_deals new table as new_deals for each statement execute function crm.sum_stages_of_changed_deals();
create trigger sum_stages_of_removed after delete on crm.opportunities
  referencing old table as old_deals for each statement execute function crm.sum_stages_of_removed_deals();
