-- Enrollments of users in paths. A user can take a path again, which is a new cycle.
create table enablement.learning_enrollments (
  tenant_id uuid not null,
  id uuid not null,
  path_id uuid not null,
  user_id uuid not null,
  cycle integer not null default 1 constraint learning_enrollments_cycle_range check (cycle > 0),
  source text collate "C" not null
    constraint learning_enrollments_source_known check (source in ('self', 'assigned', 'team', 'recertify')),
  assigned_by uuid,
  is_mandatory boolean not null,
  status text collate "C" not null default 'not_started' constraint learning_enrollments_status_known
    check (status in ('not_started', 'in_progress', 'completed', 'failed', 'withdrawn')),
  due_on date,
  -- Sorts lists: open enrollments by due date, then the others, newest first.
  list_order bigint not null generated always as (
    case when status in ('not_started', 'in_progress') then coalesce(due_on - date '2000-01-01', 100000)
      else 1000000000000 - extract(epoch from created_at at time zone 'utc')::bigint end) stored,
  started_at timestamptz,
  completed_at timestamptz,
  -- The revision of the path whose modules the enrollment has.
  revision integer not null default 0,
  progress_rate numeric(5, 4) not null default 0
    constraint learning_enrollments_progress_range check (progress_rate between 0 and 1),
  score numeric(5, 2) constraint learning_enrollments_score_range check (score between 0 and 100),
  -- Whether the path had a certificate when the enrollment was completed.
  earns_certificate boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint learning_enrollments_pkey primary key (tenant_id, id),
  constraint learning_enrollments_cycle_unique unique (tenant_id, path_id, user_id, cycle),
  constraint learning_enrollments_completed check ((status = 'completed') = (completed_at is not null)),
  constraint learning_enrollments_path_exists foreign key (tenant_id, path_id)
    references enablement.learning_paths on delete cascade,
  constraint learning_enrollments_user_exists foreign key (tenant_id, user_id)
    references identity.users on delete cascade,
  constraint learning_enrollments_assigner_exists foreign key (tenant_id, assigned_by)
    references identity.users on delete set null (assigned_by)
) with (fillfactor = 80);
create unique index learning_enrollments_open_unique on enablement.learning_enrollments (tenant_id, path_id, user_id)
  where status in ('not_started', 'in_progress');
create index learning_enrollments_of_user on enablement.learning_enrollments (tenant_id, user_id, list_order, id);
create index learning_enrollments_by_status on enablement.learning_enrollments (tenant_id, user_id, status, due_on);
create index learning_enrollments_by_path on enablement.learning_enrollments (tenant_id, path_id, status, created_at desc, id desc);
create index learning_enrollments_of_path on enablement.learning_enrollments (tenant_id, path_id, created_at desc, id desc);
create index learning_enrollments_of_path_by_due on enablement.learning_enrollments (tenant_id, path_id, list_order, id);
create index learning_enrollments_due on enablement.learning_enrollments (tenant_id, due_on, id)
  where status in ('not_started', 'in_progress') and due_on is not null;
create index learning_enrollments_by_assigner on enablement.learning_enrollments (tenant_id, assigned_by)
  where assigned_by is not null;
create trigger count_version before update on enablement.learning_enrollments
  for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.learning_enrollments');
grant select (tenant_id, due_on, status) on enablement.learning_enrollments to app_retention;
create policy maintenance_select on enablement.learning_enrollments for select to app_retention
  using (platform.current_tenant_id() is null);

-- The modules of an enrollment, which later changes of the path need not reach.
create table enablement.enrollment_modules (
  tenant_id uuid not null,
  enrollment_id uuid not null,
  module_id uuid not null,
  position integer not null constraint enrollment_modules_position_range check (position > 0),
  is_required boolean not null,
  state text collate "C" not null default 'pending' constraint enrollment_modules_state_known
    check (state in ('pending', 'in_progress', 'submitted', 'completed', 'failed', 'waived', 'removed')),
  score numeric(5, 2) constraint enrollment_modules_score_range check (score between 0 and 100),
  attempts integer not null default 0,
  extra_attempts integer not null default 0,
  -- Attempts before a reset do not count for the score.
  graded_from integer not null default 1,
  -- Seconds that were tracked until the completion.
  seconds integer not null default 0,
  submission jsonb,
  review jsonb,
  reviewed_by uuid,
  completed_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint enrollment_modules_pkey primary key (tenant_id, enrollment_id, module_id),
  constraint enrollment_modules_completed check ((state = 'completed') = (completed_at is not null)),
  constraint enrollment_modules_enrollment_exists foreign key (tenant_id, enrollment_id)
    references enablement.learning_enrollments on delete cascade,
  constraint enrollment_modules_module_exists foreign key (tenant_id, module_id)
    references enablement.learning_modules on delete cascade,
  constraint enrollment_modules_reviewer_exists foreign key (tenant_id, reviewed_by)
    references identity.users on delete set null (reviewed_by)
) with (fillfactor = 80);
create index enrollment_modules_by_reviewer on enablement.enrollment_modules (tenant_id, reviewed_by)
  where reviewed_by is not null;
create index enrollment_modules_by_module on enablement.enrollment_modules (tenant_id, module_id, state);
create trigger touch before update on enablement.enrollment_modules for each row execute function platform.touch();
call platform.isolate_by_tenant('enablement.enrollment_modules');

-- Attempts at a quiz. `questions` is a copy with the order and the answers, so later changes of the quiz do not change it.
create table enablement.quiz_attempts (
  tenant_id uuid not null,
  id uuid not null,
  enrollment_id uuid not null,
  module_id uuid not null,
  number integer not null constraint quiz_attempts_number_range check (number > 0),
  state text collate "C" not null default 'open'
    constraint quiz_attempts_state_known check (state in ('open', 'submitted', 'expired')),
  questions jsonb not null,
  answers jsonb not null default '[]',
  started_at timestamptz not null,
  deadline_at timestamptz,
  submitted_at timestamptz,
  earned numeric(12, 6),
  possible integer not null constraint quiz_attempts_possible_range check (possible > 0),
  score numeric(5, 2) constraint quiz_attempts_score_range check (score between 0 and 100),
  passed boolean,
  updated_at timestamptz not null default now(),
  constraint quiz_attempts_pkey primary key (tenant_id, id),
  constraint quiz_attempts_number_unique unique (tenant_id, enrollment_id, module_id, number),
  constraint quiz_attempts_graded check ((state = 'open') = (submitted_at is null)
    and (state = 'open') = (score is null) and (state = 'open') = (earned is null) and (state = 'open') = (passed is null)),
  constraint quiz_attempts_module_exists foreign key (tenant_id, enrollment_id, module_id)
    references enablement.enrollment_modules on delete cascade
) with (fillfactor = 80);
create unique index quiz_attempts_open_unique on enablement.quiz_attempts (tenant_id, enrollment_id, module_id)
  where state = 'open';
create index quiz_attempts_overdue on enablement.quiz_attempts (deadline_at, tenant_id)
  where state = 'open' and deadline_at is not null;
create index quiz_attempts_by_submission on enablement.quiz_attempts (tenant_id, submitted_at) where submitted_at is not null;
create trigger touch before update on enablement.quiz_attempts for each row execute function platform.touch();
call platform.isolate_by_tenant('enablement.quiz_attempts');
grant select (tenant_id, deadline_at, state) on enablement.quiz_attempts to app_retention;
create policy maintenance_select on enablement.quiz_attempts for select to app_retention
  using (platform.current_tenant_id() is null);
