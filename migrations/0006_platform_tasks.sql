-- What somebody started and may follow. The work itself is a job; this is the record people see, and its state follows the job.
create table platform.background_tasks (
  tenant_id uuid not null,
  id uuid not null,
  kind text collate "C" not null constraint background_tasks_kind_named check (kind ~ '^[a-z_]+\.[a-z_]+$'),
  title text not null constraint background_tasks_title_length check (length(title) between 1 and 200),
  state text collate "C" not null default 'queued' constraint background_tasks_state_known
    check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  progress_done bigint not null default 0 constraint background_tasks_done_not_negative check (progress_done >= 0),
  progress_total bigint constraint background_tasks_total_not_negative check (progress_total >= 0),
  result jsonb,
  error jsonb constraint background_tasks_error_shape check (error ? 'code' and error ? 'message'),
  created_by uuid,
  created_via text not null constraint background_tasks_created_via_known
    check (created_via in ('user', 'api_key', 'impersonation', 'system')),
  resource_type text,
  resource_id uuid,
  attempt integer not null default 0,
  -- Who works on it now. A worker that was given up for dead no longer finds its run here, and cannot write.
  run_id uuid,
  -- Where the next attempt goes on.
  checkpoint jsonb,
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- Counts the changes: whoever follows the task can tell what they have seen.
  seq bigint not null default 1,
  constraint background_tasks_pkey primary key (tenant_id, id),
  constraint background_tasks_resource_whole check ((resource_type is null) = (resource_id is null)),
  constraint background_tasks_finished_in_the_end
    check ((state in ('succeeded', 'failed', 'cancelled')) = (finished_at is not null)),
  constraint background_tasks_run_while_running check ((state = 'running') = (run_id is not null)),
  constraint background_tasks_error_if_failed check (state <> 'failed' or error is not null)
);

create index background_tasks_by_starter on platform.background_tasks (tenant_id, created_by, id desc);
create index background_tasks_by_state on platform.background_tasks (tenant_id, state, id desc);
create index background_tasks_by_kind on platform.background_tasks (tenant_id, kind, id desc);
create index background_tasks_finished on platform.background_tasks (tenant_id, finished_at) where finished_at is not null;

call platform.isolate_by_tenant('platform.background_tasks');
-- Across tenants, and only there: which tasks have lost their worker, and which tenants have old ones.
create policy upkeep_sees on platform.background_tasks for select to app_system
  using (platform.current_tenant_id() is null);
create policy upkeep_requeues on platform.background_tasks for update to app_system
  using (platform.current_tenant_id() is null) with check (platform.current_tenant_id() is null);

create function platform.count_change() returns trigger
language plpgsql as $$
begin
  new.seq := old.seq + 1;
  new.updated_at := now();
  return new;
end $$;
-- A checkpoint is for the next attempt: nobody who follows the task sees it.
create trigger count_change before update on platform.background_tasks for each row
  when ((old.state, old.progress_done, old.progress_total, old.attempt, old.cancel_requested_at)
    is distinct from (new.state, new.progress_done, new.progress_total, new.attempt, new.cancel_requested_at))
  execute function platform.count_change();

-- How far the given tasks have got, for a process that follows tasks of several tenants. It sees them one tenant at a time, with
-- the rights of whoever asks.
create function platform.task_changes(tenants uuid[], tasks uuid[]) returns table (id uuid, seq bigint)
language plpgsql as $$
declare
  entered uuid;
begin
  for entered in select distinct unnest(tenants) loop
    perform set_config('app.tenant_id', entered::text, true);
    return query select t.id, t.seq from platform.background_tasks t where t.id = any(tasks);
  end loop;
  perform set_config('app.tenant_id', '', true);
end $$;
grant execute on function platform.task_changes(uuid[], uuid[]) to app;
