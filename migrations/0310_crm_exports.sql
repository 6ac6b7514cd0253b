-- Files of leads, contacts or accounts. `filter` is a rule; without one all records are exported.
create table crm.exports (
  tenant_id uuid not null,
  id uuid not null,
  object_type text not null constraint exports_object_type_known check (object_type in ('lead', 'contact', 'account')),
  format text not null constraint exports_format_known check (format in ('csv', 'jsonl')),
  columns text[] not null constraint exports_columns_count check (cardinality(columns) between 1 and 200),
  filter jsonb,
  state text not null default 'running'
    constraint exports_state_known check (state in ('running', 'completed', 'failed')),
  row_count integer constraint exports_row_count_positive check (row_count >= 0),
  task_id uuid not null,
  file_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint exports_pkey primary key (tenant_id, id),
  constraint exports_file_exists foreign key (tenant_id, file_id) references platform.files on delete set null (file_id),
  constraint exports_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by)
);
create index exports_by_file on crm.exports (tenant_id, file_id);
create index exports_by_task on crm.exports (tenant_id, task_id);
create index exports_by_creator on crm.exports (tenant_id, created_by, created_at);
create index exports_by_expiry on crm.exports (tenant_id, expires_at);
call platform.isolate_by_tenant('crm.exports');
