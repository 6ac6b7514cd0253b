-- The sample data of a workspace. `done` is the number of finished steps, so that an interrupted load continues there.
create table operations.sample_batches (
  tenant_id uuid not null,
  batch_id uuid not null,
  state text collate "C" not null constraint sample_batches_state_known check (state in ('loading', 'loaded', 'removing')),
  loaded_by uuid not null,
  planned_at timestamptz not null,
  loaded_at timestamptz,
  done integer not null default 0,
  constraint sample_batches_pkey primary key (tenant_id)
);

call platform.isolate_by_tenant('operations.sample_batches');

create table operations.sample_records (
  tenant_id uuid not null,
  key text collate "C" not null,
  resource_type text collate "C" not null,
  id uuid not null,
  constraint sample_records_pkey primary key (tenant_id, key)
);

call platform.isolate_by_tenant('operations.sample_records');
