-- One review per reviewer and submission. The reviewer is null after the erasure of the user.
create table enablement.pitch_reviews (
  tenant_id uuid not null,
  id uuid not null,
  submission_id uuid not null,
  reviewer_id uuid,
  scores jsonb not null constraint pitch_reviews_scores_size check (jsonb_array_length(scores) between 1 and 12),
  score numeric(13, 10) not null constraint pitch_reviews_score_range check (score between 0 and 100),
  decision text collate "C" not null constraint pitch_reviews_decision_known check (decision in ('approved', 'returned')),
  comment text constraint pitch_reviews_comment_length check (length(comment) <= 4000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint pitch_reviews_pkey primary key (tenant_id, id),
  constraint pitch_reviews_reviewer_unique unique (tenant_id, submission_id, reviewer_id),
  constraint pitch_reviews_submission_exists foreign key (tenant_id, submission_id)
    references enablement.pitch_submissions on delete cascade,
  constraint pitch_reviews_reviewer_exists foreign key (tenant_id, reviewer_id)
    references identity.users on delete set null (reviewer_id)
);
create index pitch_reviews_by_reviewer on enablement.pitch_reviews (tenant_id, reviewer_id);
create trigger count_version before update on enablement.pitch_reviews for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.pitch_reviews');

-- Comments on the timeline of a submission, and replies to them.
create table enablement.pitch_comments (
  tenant_id uuid not null,
  id uuid not null,
  submission_id uuid not null,
  author_id uuid,
  parent_id uuid,
  at_seconds numeric(9, 3) constraint pitch_comments_at_range check (at_seconds >= 0),
  body text not null constraint pitch_comments_body_length check (length(body) between 1 and 2000),
  created_at timestamptz not null default now(),
  constraint pitch_comments_pkey primary key (tenant_id, id),
  constraint pitch_comments_submission_exists foreign key (tenant_id, submission_id)
    references enablement.pitch_submissions on delete cascade,
  constraint pitch_comments_author_exists foreign key (tenant_id, author_id)
    references identity.users on delete set null (author_id),
  constraint pitch_comments_parent_exists foreign key (tenant_id, parent_id)
    references enablement.pitch_comments on delete cascade deferrable initially immediate
);
create index pitch_comments_by_time on enablement.pitch_comments (tenant_id, submission_id, at_seconds, id);
create index pitch_comments_by_author on enablement.pitch_comments (tenant_id, author_id);
create index pitch_comments_by_parent on enablement.pitch_comments (tenant_id, parent_id) where parent_id is not null;
call platform.isolate_by_tenant('enablement.pitch_comments');
