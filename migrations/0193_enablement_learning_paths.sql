-- Paths of modules that users or teams are enrolled in.
create table enablement.learning_paths (
  tenant_id uuid not null,
  id uuid not null,
  title text not null constraint learning_paths_title_length check (length(title) between 1 and 150),
  description text constraint learning_paths_description_length check (length(description) <= 5000),
  type text collate "C" not null constraint learning_paths_type_known
    check (type in ('onboarding', 'product', 'skills', 'compliance', 'certification', 'custom')),
  status text collate "C" not null default 'draft'
    constraint learning_paths_status_known check (status in ('draft', 'published', 'archived')),
  ordering text collate "C" not null default 'sequential'
    constraint learning_paths_ordering_known check (ordering in ('sequential', 'free')),
  prerequisite_path_ids uuid[] not null default '{}'
    constraint learning_paths_prerequisites_size check (cardinality(prerequisite_path_ids) <= 10),
  due_in_days integer constraint learning_paths_due_range check (due_in_days between 1 and 365),
  self_enroll boolean not null default true,
  auto_enroll_team_ids uuid[] not null default '{}'
    constraint learning_paths_auto_enroll_size check (cardinality(auto_enroll_team_ids) <= 50),
  -- Null: all users.
  audience_team_ids uuid[] constraint learning_paths_audience_size check (cardinality(audience_team_ids) between 1 and 50),
  -- Counts added and removed modules after the path was published.
  revision integer not null default 0,
  certificate jsonb not null,
  search_text text not null,
  owner_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  constraint learning_paths_pkey primary key (tenant_id, id),
  constraint learning_paths_owner_exists foreign key (tenant_id, owner_id)
    references identity.users on delete set null (owner_id),
  constraint learning_paths_creator_exists foreign key (tenant_id, created_by)
    references identity.users on delete set null (created_by)
);
create index learning_paths_by_status on enablement.learning_paths (tenant_id, status, created_at desc, id desc)
  where deleted_at is null;
create index learning_paths_by_type on enablement.learning_paths (tenant_id, status, type, created_at desc, id desc)
  where deleted_at is null;
create index learning_paths_with_teams on enablement.learning_paths (tenant_id, id)
  where auto_enroll_team_ids <> '{}' and status = 'published' and deleted_at is null;
create index learning_paths_with_prerequisites on enablement.learning_paths (tenant_id, id)
  where prerequisite_path_ids <> '{}' and deleted_at is null;
create index learning_paths_by_owner on enablement.learning_paths (tenant_id, owner_id);
create index learning_paths_by_creator on enablement.learning_paths (tenant_id, created_by);
create trigger count_version before update on enablement.learning_paths
  for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.learning_paths');

-- Removed modules stay, because enrollments and attempts refer to them; their positions are negative.
create table enablement.learning_modules (
  tenant_id uuid not null,
  id uuid not null,
  path_id uuid not null,
  position integer not null,
  title text not null constraint learning_modules_title_length check (length(title) between 1 and 150),
  kind text collate "C" not null constraint learning_modules_kind_known
    check (kind in ('content', 'video', 'quiz', 'assignment', 'roleplay', 'pitch')),
  is_required boolean not null default true,
  description text constraint learning_modules_description_length check (length(description) <= 4000),
  estimated_minutes integer not null default 10
    constraint learning_modules_minutes_range check (estimated_minutes between 1 and 600),
  prerequisite_module_ids uuid[] not null default '{}'
    constraint learning_modules_prerequisites_size check (cardinality(prerequisite_module_ids) <= 10),
  -- Days after the enrollment.
  unlock_after_days integer constraint learning_modules_unlock_range check (unlock_after_days between 0 and 365),
  unlock_at timestamptz,
  content_item_id uuid,
  body text constraint learning_modules_body_length check (length(body) <= 50000),
  min_seconds integer not null default 0 constraint learning_modules_seconds_range check (min_seconds between 0 and 7200),
  min_progress numeric(5, 4) not null default 0 constraint learning_modules_progress_range check (min_progress between 0 and 1),
  quiz jsonb,
  -- Question banks that the quiz draws from, copied from `quiz`.
  bank_ids uuid[] not null default '{}',
  assignment jsonb,
  scenario_id uuid,
  prompt_id uuid,
  min_score integer constraint learning_modules_score_range check (min_score between 0 and 100),
  allow_voice boolean not null default false,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint learning_modules_pkey primary key (tenant_id, id),
  constraint learning_modules_position_unique unique (tenant_id, path_id, position) deferrable initially deferred,
  constraint learning_modules_removed check ((removed_at is null) = (position > 0)),
  constraint learning_modules_quiz check ((kind = 'quiz') = (quiz is not null)),
  constraint learning_modules_assignment check ((kind = 'assignment') = (assignment is not null)),
  constraint learning_modules_path_exists foreign key (tenant_id, path_id)
    references enablement.learning_paths on delete cascade,
  constraint learning_modules_content_exists foreign key (tenant_id, content_item_id)
    references enablement.content_items on delete set null (content_item_id),
  constraint learning_modules_scenario_exists foreign key (tenant_id, scenario_id)
    references enablement.coaching_scenarios on delete set null (scenario_id),
  constraint learning_modules_prompt_exists foreign key (tenant_id, prompt_id)
    references enablement.pitch_prompts on delete set null (prompt_id)
);
create index learning_modules_by_content on enablement.learning_modules (tenant_id, content_item_id)
  where content_item_id is not null;
create index learning_modules_by_scenario on enablement.learning_modules (tenant_id, scenario_id) where scenario_id is not null;
create index learning_modules_by_prompt on enablement.learning_modules (tenant_id, prompt_id) where prompt_id is not null;
create index learning_modules_with_banks on enablement.learning_modules (tenant_id, id)
  where bank_ids <> '{}' and removed_at is null;
create trigger count_version before update on enablement.learning_modules
  for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.learning_modules');
