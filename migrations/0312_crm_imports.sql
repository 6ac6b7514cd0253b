-- Imports of leads or contacts from a CSV file. `run_no` counts changes of the mapping, checks and runs: the outcome of a row is
-- that of the current one only if both numbers are equal.
create table crm.imports (
  tenant_id uuid not null,
  id uuid not null,
  object_type text collate "C" not null constraint imports_object_type_known check (object_type in ('lead', 'contact')),
  file_id uuid,
  filename text not null,
  state text collate "C" not null default 'uploading' constraint imports_state_known check (
    state in ('uploading', 'uploaded', 'mapped', 'checking', 'running', 'completed', 'failed', 'cancelled', 'undoing', 'undone')),
  encoding text collate "C",
  delimiter text collate "C",
  columns jsonb not null default '[]',
  mapping jsonb,
  options jsonb,
  row_count integer not null default 0 constraint imports_row_count_range check (row_count between 0 and 200000),
  run_no integer not null default 0,
  done_rows integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  skipped_count integer not null default 0,
  failed_count integer not null default 0,
  warning_count integer not null default 0,
  undone_count integer not null default 0,
  kept_count integer not null default 0,
  checked jsonb,
  failure jsonb,
  task_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  constraint imports_pkey primary key (tenant_id, id),
  constraint imports_file_exists foreign key (tenant_id, file_id) references platform.files on delete set null (file_id),
  constraint imports_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by)
) with (fillfactor = 80);
create index imports_by_object on crm.imports (tenant_id, object_type, id);
create index imports_by_creator on crm.imports (tenant_id, created_by, object_type, id);
create index imports_by_file on crm.imports (tenant_id, file_id);
create index imports_by_task on crm.imports (tenant_id, task_id);
create index imports_at_work on crm.imports (tenant_id, id) where state in ('uploading', 'checking', 'running', 'undoing');
call platform.isolate_by_tenant('crm.imports');

-- Rows of the file, without its header. `before` has the former values of the changed fields, for the undo; `record_version` is the
-- version of the record after the last change of this import.
create table crm.import_rows (
  tenant_id uuid not null,
  import_id uuid not null,
  row_no integer not null,
  cells jsonb not null,
  problem text collate "C",
  run_no integer not null default 0,
  outcome text collate "C" constraint import_rows_outcome_known check (
    outcome in ('created', 'updated', 'skipped', 'failed', 'undone', 'kept')),
  match_hash text collate "C",
  record_id uuid,
  record_version integer,
  errors jsonb,
  warnings jsonb,
  before jsonb,
  created_at timestamptz not null default now(),
  constraint import_rows_pkey primary key (tenant_id, import_id, row_no),
  constraint import_rows_import_exists foreign key (tenant_id, import_id) references crm.imports on delete cascade
) with (fillfactor = 70);
create index import_rows_by_outcome on crm.import_rows (tenant_id, import_id, run_no, outcome, row_no);
create index import_rows_by_match on crm.import_rows (tenant_id, import_id, match_hash) where match_hash is not null;
create index import_rows_by_record on crm.import_rows (tenant_id, import_id, record_id) where record_id is not null;
create index import_rows_by_age on crm.import_rows (tenant_id, created_at);
call platform.isolate_by_tenant('crm.import_rows');
