-- Bulk actions that ran as a task, and the leads that they changed: what an undo restores within a day.
create table crm.bulk_actions (
  tenant_id uuid not null,
  task_id uuid not null,
  action text collate "C" not null constraint bulk_actions_action_length check (length(action) between 1 and 100),
  undo_task_id uuid,
  created_at timestamptz not null default now(),
  constraint bulk_actions_pkey primary key (tenant_id, task_id)
);
create index bulk_actions_by_age on crm.bulk_actions (tenant_id, created_at);
call platform.isolate_by_tenant('crm.bulk_actions');

-- `before` has the former values of the fields that changed, `version` that of the lead after the change. An undo deletes its rows.
create table crm.bulk_changes (
  tenant_id uuid not null,
  task_id uuid not null,
  lead_id uuid not null,
  version integer not null,
  before jsonb not null,
  created_at timestamptz not null default now(),
  constraint bulk_changes_pkey primary key (tenant_id, task_id, lead_id),
  constraint bulk_changes_action_exists foreign key (tenant_id, task_id) references crm.bulk_actions on delete cascade
);
create index bulk_changes_by_age on crm.bulk_changes (tenant_id, created_at);
call platform.isolate_by_tenant('crm.bulk_changes');
