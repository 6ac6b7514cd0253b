-- Questions that quizzes of several paths draw from.
create table enablement.question_banks (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint question_banks_name_length check (length(name) between 1 and 150),
  name_key text collate "C" not null generated always as (lower(name)) stored,
  topic text constraint question_banks_topic_length check (length(topic) between 1 and 60),
  owner_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint question_banks_pkey primary key (tenant_id, id),
  constraint question_banks_name_unique unique (tenant_id, name_key),
  constraint question_banks_owner_exists foreign key (tenant_id, owner_id)
    references identity.users on delete set null (owner_id)
);
create index question_banks_by_creation on enablement.question_banks (tenant_id, created_at desc, id desc);
create index question_banks_by_owner on enablement.question_banks (tenant_id, owner_id);
create trigger count_version before update on enablement.question_banks
  for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.question_banks');

-- Questions of a quiz or of a bank. `spec` has the answers, which learners must not see.
create table enablement.quiz_questions (
  tenant_id uuid not null,
  id uuid not null,
  module_id uuid,
  bank_id uuid,
  position integer not null constraint quiz_questions_position_range check (position > 0),
  kind text collate "C" not null constraint quiz_questions_kind_known
    check (kind in ('single', 'multiple', 'true_false', 'short_text', 'numeric', 'ordering', 'matching')),
  text text not null constraint quiz_questions_text_length check (length(text) between 1 and 2000),
  points integer not null default 1 constraint quiz_questions_points_range check (points between 1 and 100),
  topic text constraint quiz_questions_topic_length check (length(topic) between 1 and 60),
  explanation text constraint quiz_questions_explanation_length check (length(explanation) <= 2000),
  is_active boolean not null default true,
  spec jsonb not null,
  constraint quiz_questions_pkey primary key (tenant_id, id),
  constraint quiz_questions_one_owner check (num_nonnulls(module_id, bank_id) = 1),
  constraint quiz_questions_module_exists foreign key (tenant_id, module_id)
    references enablement.learning_modules on delete cascade,
  constraint quiz_questions_bank_exists foreign key (tenant_id, bank_id)
    references enablement.question_banks on delete cascade
);
create index quiz_questions_by_module on enablement.quiz_questions (tenant_id, module_id, position)
  where module_id is not null;
create index quiz_questions_by_bank on enablement.quiz_questions (tenant_id, bank_id, position) where bank_id is not null;
call platform.isolate_by_tenant('enablement.quiz_questions');
