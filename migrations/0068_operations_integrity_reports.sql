create schema operations;
grant usage on schema operations to app, app_system;

-- The latest result of the integrity checks of each workspace.
create table operations.integrity_reports (
  tenant_id uuid not null,
  run_id uuid not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  checks jsonb not null,
  constraint integrity_reports_pkey primary key (tenant_id)
);

call platform.isolate_by_tenant('operations.integrity_reports');
