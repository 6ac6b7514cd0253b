-- No writer changes deals until the existing ones are counted.
lock table crm.opportunities in share row exclusive mode;

-- Sums of open and won deals by day, owner, pipeline and category, which the forecast reads. `owner_id` is the nil UUID for deals without owner.
create table crm.deal_sums (
  tenant_id uuid not null,
  close_on date not null,
  owner_id uuid not null,
  pipeline_id uuid not null,
  kind text collate "C" not null,
  forecast_category text collate "C" not null,
  deals bigint not null,
  minor numeric not null,
  -- Amounts times probability, in 1/10,000 of a minor unit.
  weighted numeric not null,
  primary key (tenant_id, close_on, owner_id, pipeline_id, kind, forecast_category)
) with (fillfactor = 70);
call platform.isolate_by_tenant('crm.deal_sums');

-- Changes that are not in `crm.deal_sums` yet. Every statement that changes deals adds signed rows, so writers do not wait for each
-- other. Readers add both; a schedule moves the changes into the sums.
create table crm.deal_deltas (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  close_on date not null,
  owner_id uuid not null,
  pipeline_id uuid not null,
  kind text collate "C" not null,
  forecast_category text collate "C" not null,
  deals bigint not null,
  minor numeric not null,
  weighted numeric not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
call platform.isolate_by_tenant('crm.deal_deltas');
-- Across tenants: finds the workspaces with changes to add.
create policy upkeep_sees on crm.deal_deltas for select to app_system using (platform.current_tenant_id() is null);

-- One function per operation, because the transition tables differ.
do $do$
declare
  columns text := 'tenant_id, close_on, owner_id, pipeline_id, kind, forecast_category, deals, minor, weighted';
  inputs text := $sql$ as sign, tenant_id, close_on, coalesce(owner_id, '00000000-0000-0000-0000-000000000000') as owner_id, pipeline_id, kind,
    forecast_category, coalesce(amount_base_minor, 0)::numeric as minor, probability_basis $sql$;
  counted text := $sql$ where deleted_at is null and kind in ('open', 'won') $sql$;
begin
  execute (
    select string_agg(format($sql$
      create function crm.%1$s() returns trigger language plpgsql as $fn$
      begin
        insert into crm.deal_deltas (%2$s)
        select tenant_id, close_on, owner_id, pipeline_id, kind, forecast_category, sum(sign), sum(sign * minor),
          sum(sign * minor * probability_basis)
        from (%3$s) as changes group by 1, 2, 3, 4, 5, 6
        having (sum(sign), sum(sign * minor), sum(sign * minor * probability_basis)) <> (0, 0, 0);
        return null;
      end $fn$;
    $sql$, name, columns, changes), '')
    from (values
      ('sum_new_deals', 'select 1' || inputs || 'from new_deals' || counted),
      ('sum_changed_deals', 'select 1' || inputs || 'from new_deals' || counted || 'union all select -1' || inputs || 'from old_deals' || counted),
      ('sum_removed_deals', 'select -1' || inputs || 'from old_deals' || counted)
    ) as functions (name, changes)
  );
end $do$;

alter table crm.opportunities no force row level security;
alter table crm.deal_sums no force row level security;
insert into crm.deal_sums
  select tenant_id, close_on, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), pipeline_id, kind, forecast_category, count(*),
    coalesce(sum(amount_base_minor), 0), coalesce(sum(amount_base_minor::numeric * probability_basis), 0)
  from crm.opportunities where deleted_at is null and kind in ('open', 'won') group by 1, 2, 3, 4, 5, 6;
alter table crm.deal_sums force row level security;
alter table crm.opportunities force row level security;

create trigger sum_new after insert on crm.opportunities
  referencing new table as new_deals for each statement execute function crm.sum_new_deals();
create trigger sum_changed after update on crm.opportunities
  referencing old table as old_deals new table as new_deals for each statement execute function crm.sum_changed_deals();
create trigger sum_removed after delete on crm.opportunities
  referencing old table as old_deals for each statement execute function crm.sum_removed_deals();
