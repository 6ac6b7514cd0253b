-- Small workspaces have no sums of leads or deals: they would have about one row per record. Without a row, a workspace has sums.
create table crm.rollup_states (
  tenant_id uuid not null,
  kind text collate "C" not null constraint rollup_states_kind_known check (kind in ('leads', 'deals')),
  is_direct boolean not null,
  constraint rollup_states_pkey primary key (tenant_id, kind)
);
call platform.isolate_by_tenant('crm.rollup_states');
