-- Tasks for a recorded pitch: instructions, criteria and reviewers.
create table enablement.pitch_prompts (
  tenant_id uuid not null,
  id uuid not null,
  title text not null constraint pitch_prompts_title_length check (length(title) between 1 and 150),
  instructions text constraint pitch_prompts_instructions_length check (length(instructions) <= 5000),
  time_limit_seconds integer not null default 180
    constraint pitch_prompts_time_limit_range check (time_limit_seconds between 15 and 1800),
  criteria jsonb not null constraint pitch_prompts_criteria_size check (jsonb_array_length(criteria) between 1 and 12),
  criteria_version integer not null default 1,
  status text collate "C" not null default 'draft'
    constraint pitch_prompts_status_known check (status in ('draft', 'active', 'archived')),
  passing_score integer not null default 70 constraint pitch_prompts_passing_score_range check (passing_score between 0 and 100),
  max_takes integer not null default 5 constraint pitch_prompts_max_takes_range check (max_takes between 1 and 20),
  -- With 0, the score of the evaluation is enough.
  min_reviews integer not null default 1 constraint pitch_prompts_min_reviews_range check (min_reviews between 0 and 5),
  -- Without any, the coaches of a seller review.
  reviewer_ids uuid[] not null default '{}' constraint pitch_prompts_reviewers_size check (cardinality(reviewer_ids) <= 20),
  exemplar_submission_id uuid,
  -- Null: as the settings of the workspace say.
  retention_days integer constraint pitch_prompts_retention_range check (retention_days between 7 and 1095),
  language text collate "C" not null default 'en'
    constraint pitch_prompts_language_known check (language in ('en', 'de', 'fr', 'es', 'pt')),
  owner_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  constraint pitch_prompts_pkey primary key (tenant_id, id),
  constraint pitch_prompts_owner_exists foreign key (tenant_id, owner_id)
    references identity.users on delete set null (owner_id),
  constraint pitch_prompts_creator_exists foreign key (tenant_id, created_by)
    references identity.users on delete set null (created_by)
);
create index pitch_prompts_by_status on enablement.pitch_prompts (tenant_id, status, created_at desc, id desc)
  where deleted_at is null;
create index pitch_prompts_with_reviewers on enablement.pitch_prompts (tenant_id, id) where reviewer_ids <> '{}';
create index pitch_prompts_by_owner on enablement.pitch_prompts (tenant_id, owner_id);
create index pitch_prompts_by_creator on enablement.pitch_prompts (tenant_id, created_by);
create index pitch_prompts_deleted on enablement.pitch_prompts (tenant_id, deleted_at) where deleted_at is not null;
create trigger count_version before update on enablement.pitch_prompts for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.pitch_prompts');

-- Users who must pass a prompt. Status and best submission follow from their submissions.
create table enablement.pitch_assignments (
  tenant_id uuid not null,
  id uuid not null,
  prompt_id uuid not null,
  user_id uuid not null,
  due_on date,
  status text collate "C" not null default 'open' constraint pitch_assignments_status_known check (status in ('open', 'done')),
  best_submission_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint pitch_assignments_pkey primary key (tenant_id, id),
  constraint pitch_assignments_user_unique unique (tenant_id, prompt_id, user_id),
  constraint pitch_assignments_prompt_exists foreign key (tenant_id, prompt_id)
    references enablement.pitch_prompts on delete cascade,
  constraint pitch_assignments_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade,
  constraint pitch_assignments_creator_exists foreign key (tenant_id, created_by)
    references identity.users on delete set null (created_by)
);
create index pitch_assignments_open on enablement.pitch_assignments (tenant_id, user_id, due_on, id) where status = 'open';
create index pitch_assignments_by_user on enablement.pitch_assignments (tenant_id, user_id);
create index pitch_assignments_by_creator on enablement.pitch_assignments (tenant_id, created_by);
create trigger count_version before update on enablement.pitch_assignments
  for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.pitch_assignments');
