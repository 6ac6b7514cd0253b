-- Recorded pitches: takes of a prompt, and practice, which only its author sees until a review is requested.
create table enablement.pitch_submissions (
  tenant_id uuid not null,
  id uuid not null,
  prompt_id uuid,
  user_id uuid not null,
  is_practice boolean not null default false,
  take_no integer constraint pitch_submissions_take_range check (take_no > 0),
  title text constraint pitch_submissions_title_length check (length(title) <= 150),
  status text collate "C" not null default 'draft'
    constraint pitch_submissions_status_known check (status in ('draft', 'submitted', 'reviewed', 'returned')),
  review_requested boolean not null default false,
  -- Copied from the assignment, because the review queue is sorted by it.
  due_on date,
  due_order date not null generated always as (coalesce(due_on, date '2199-12-31')) stored,
  file_id uuid,
  video_deleted_at timestamptz,
  duration_seconds numeric(9, 3) constraint pitch_submissions_duration_range check (duration_seconds > 0),
  transcript text constraint pitch_submissions_transcript_length check (length(transcript) between 1 and 100000),
  segments jsonb,
  transcript_source text collate "C"
    constraint pitch_submissions_transcript_source_known check (transcript_source in ('supplied', 'engine')),
  -- The prompt as it was when the submission was created.
  prompt_snapshot jsonb not null,
  evaluation_state text collate "C" not null default 'none'
    constraint pitch_submissions_evaluation_state_known check (evaluation_state in ('none', 'queued', 'running', 'done', 'failed')),
  evaluation jsonb,
  evaluation_error text constraint pitch_submissions_evaluation_error_length check (length(evaluation_error) <= 500),
  -- An evaluation is running; a lost claim expires. A task has no claim between its attempts.
  claim_id uuid,
  claimed_until timestamptz,
  task_id uuid,
  ai_score integer constraint pitch_submissions_ai_score_range check (ai_score between 0 and 100),
  human_score numeric(13, 10) constraint pitch_submissions_human_score_range check (human_score between 0 and 100),
  final_score numeric(13, 10) constraint pitch_submissions_final_score_range check (final_score between 0 and 100),
  passed boolean,
  is_exemplar boolean not null default false,
  exemplar_consent boolean not null default false,
  submitted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  constraint pitch_submissions_pkey primary key (tenant_id, id),
  constraint pitch_submissions_take_of_prompt check (is_practice = (take_no is null)),
  constraint pitch_submissions_submitted check ((status = 'draft') = (submitted_at is null)),
  constraint pitch_submissions_video_once check (file_id is null or video_deleted_at is null),
  constraint pitch_submissions_exemplar_consented check (not is_exemplar or exemplar_consent),
  constraint pitch_submissions_prompt_exists foreign key (tenant_id, prompt_id)
    references enablement.pitch_prompts on delete set null (prompt_id) deferrable initially immediate,
  constraint pitch_submissions_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade,
  constraint pitch_submissions_file_exists foreign key (tenant_id, file_id)
    references platform.files on delete set null (file_id)
) with (fillfactor = 80);
create index pitch_submissions_by_user on enablement.pitch_submissions (tenant_id, user_id, created_at desc, id desc);
create index pitch_submissions_by_prompt on enablement.pitch_submissions (tenant_id, prompt_id, user_id)
  where prompt_id is not null;
create index pitch_submissions_by_file on enablement.pitch_submissions (tenant_id, file_id) where file_id is not null;
create unique index pitch_submissions_take_unique on enablement.pitch_submissions (tenant_id, prompt_id, user_id, take_no)
  where not is_practice;
create unique index pitch_submissions_draft_unique on enablement.pitch_submissions (tenant_id, prompt_id, user_id)
  where status = 'draft' and not is_practice;
create index pitch_submissions_queue on enablement.pitch_submissions (tenant_id, due_order, submitted_at, id)
  where status = 'submitted' and deleted_at is null;
create index pitch_submissions_queue_of_user on enablement.pitch_submissions (tenant_id, user_id, due_order, submitted_at, id)
  where status = 'submitted' and deleted_at is null;
create index pitch_submissions_queue_of_prompt on enablement.pitch_submissions (tenant_id, prompt_id, due_order, submitted_at, id)
  where status = 'submitted' and deleted_at is null;
create index pitch_submissions_with_video on enablement.pitch_submissions (tenant_id, submitted_at, id)
  where file_id is not null and not is_exemplar;
create index pitch_submissions_deleted on enablement.pitch_submissions (tenant_id, deleted_at) where deleted_at is not null;
-- Claims are no new version of the submission.
create trigger count_version before update of title, status, review_requested, due_on, file_id, video_deleted_at, duration_seconds,
  transcript, evaluation, human_score, is_exemplar, exemplar_consent, deleted_at
  on enablement.pitch_submissions for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.pitch_submissions');
grant select (tenant_id, submitted_at, file_id, is_exemplar) on enablement.pitch_submissions to app_retention;
create policy maintenance_select on enablement.pitch_submissions for select to app_retention
  using (platform.current_tenant_id() is null);

alter table enablement.pitch_prompts
  add constraint pitch_prompts_exemplar_exists foreign key (tenant_id, exemplar_submission_id)
    references enablement.pitch_submissions on delete set null (exemplar_submission_id);
create index pitch_prompts_by_exemplar on enablement.pitch_prompts (tenant_id, exemplar_submission_id)
  where exemplar_submission_id is not null;
alter table enablement.pitch_assignments
  add constraint pitch_assignments_best_exists foreign key (tenant_id, best_submission_id)
    references enablement.pitch_submissions on delete set null (best_submission_id);
create index pitch_assignments_by_best on enablement.pitch_assignments (tenant_id, best_submission_id)
  where best_submission_id is not null;
