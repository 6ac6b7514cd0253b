create schema surveys;
grant usage on schema surveys to app, app_system, app_search, app_retention;

-- A text map has one text per language: {"en": "...", "de": "..."}.
create table surveys.surveys (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint surveys_name_length check (length(name) between 1 and 200),
  description text constraint surveys_description_length check (length(description) <= 2000),
  survey_type text collate "C" not null constraint surveys_type_known check (survey_type in ('nps', 'csat', 'ces', 'custom')),
  status text collate "C" not null default 'draft'
    constraint surveys_status_known check (status in ('draft', 'active', 'paused', 'closed')),
  closed_reason text collate "C"
    constraint surveys_closed_reason_known check (closed_reason in ('manual', 'closes_at', 'response_limit')),
  default_language text collate "C" not null,
  languages text[] not null constraint surveys_languages_size check (cardinality(languages) between 1 and 20),
  intro jsonb not null default '{}',
  thank_you jsonb not null default '{}',
  closed_message jsonb not null default '{}',
  anonymous boolean not null default false,
  partial_save boolean not null,
  closes_at timestamptz,
  response_limit integer constraint surveys_response_limit_range check (response_limit between 1 and 1000000),
  invitation_ttl_days integer not null default 30 constraint surveys_ttl_range check (invitation_ttl_days between 1 and 365),
  reminder_days integer[] not null default '{3,7}' constraint surveys_reminders_size check (cardinality(reminder_days) <= 3),
  min_group_size integer not null default 5 constraint surveys_group_size_range check (min_group_size between 3 and 50),
  email jsonb not null default '{}',
  effects jsonb not null default '{}',
  owner_id uuid not null,
  campaign_id uuid,
  activated_at timestamptz,
  closed_at timestamptz,
  search_text text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  constraint surveys_pkey primary key (tenant_id, id),
  -- A draft of an answer would tie it to its invitation.
  constraint surveys_anonymous_without_drafts check (not (anonymous and partial_save)),
  constraint surveys_owner_exists foreign key (tenant_id, owner_id) references identity.users,
  constraint surveys_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by),
  constraint surveys_campaign_exists foreign key (tenant_id, campaign_id)
    references marketing.campaigns on delete set null (campaign_id)
) with (fillfactor = 90);
create index surveys_by_creation on surveys.surveys (tenant_id, created_at desc, id desc) where deleted_at is null;
create index surveys_by_status on surveys.surveys (tenant_id, status, created_at desc, id desc) where deleted_at is null;
create index surveys_by_type on surveys.surveys (tenant_id, survey_type, created_at desc, id desc) where deleted_at is null;
create index surveys_by_owner on surveys.surveys (tenant_id, owner_id, created_at desc, id desc);
create index surveys_by_creator on surveys.surveys (tenant_id, created_by);
create index surveys_by_campaign on surveys.surveys (tenant_id, campaign_id) where campaign_id is not null;
create index surveys_to_close on surveys.surveys (closes_at, tenant_id)
  where status in ('active', 'paused') and closes_at is not null and deleted_at is null;
create index surveys_deleted on surveys.surveys (tenant_id, deleted_at, id) where deleted_at is not null;
create index surveys_by_text on surveys.surveys using gin (crm.text_grams(tenant_id, 'survey', search_text)) where deleted_at is null;
create trigger count_version before update on surveys.surveys for each row execute function platform.count_version();
call platform.isolate_by_tenant('surveys.surveys');
grant select (tenant_id, status, closes_at, deleted_at) on surveys.surveys to app_retention;
create policy maintenance_select on surveys.surveys for select to app_retention using (platform.current_tenant_id() is null);

-- Runs as app_search, to which all rows are open, and therefore names the tenant itself.
create policy search on surveys.surveys for select to app_search using (true);
grant select (tenant_id, id, search_text, deleted_at) on surveys.surveys to app_search;
create function surveys.search_surveys(words text[], cap integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set enable_seqscan = off set work_mem = '16MB'
as $$
declare
  tenant uuid := platform.current_tenant_id();
  grams bigint[] := crm.word_grams(tenant, 'survey', words);
  patterns text[] := crm.search_patterns(words);
begin
  return query
    select id from (
      select tenant_id, id, search_text from surveys.surveys
      where crm.text_grams(tenant_id, 'survey', search_text) @> grams and deleted_at is null offset 0) as candidate
    where tenant_id = tenant and search_text like all (patterns)
    limit cap;
end $$;
grant create on schema surveys to app_search;
alter function surveys.search_surveys owner to app_search;
revoke create on schema surveys from app_search;
grant execute on function surveys.search_surveys to app;

create table surveys.questions (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  key text collate "C" not null constraint questions_key_format check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  -- From 1 on; negative for archived questions.
  position integer not null,
  question_type text collate "C" not null constraint questions_type_known check (question_type in
    ('nps', 'csat', 'ces', 'rating', 'single_choice', 'multiple_choice', 'ranking', 'matrix', 'short_text', 'long_text',
     'number', 'date', 'email', 'yes_no', 'consent', 'statement')),
  title jsonb not null,
  help jsonb not null default '{}',
  required boolean not null default false,
  is_primary boolean not null default false,
  options jsonb not null default '[]',
  rules jsonb not null default '{}',
  show_if jsonb,
  end_if jsonb,
  -- Counts changes of the wording since the first response.
  revision integer not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint questions_pkey primary key (tenant_id, id),
  constraint questions_key_unique unique (tenant_id, survey_id, key),
  constraint questions_position_unique unique (tenant_id, survey_id, position) deferrable initially immediate,
  constraint questions_archived_last check ((archived_at is null) = (position > 0)),
  constraint questions_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade
);
-- A move is not a new version of the other questions.
create trigger count_version before update of key, question_type, title, help, required, is_primary, options, rules, show_if, end_if,
  archived_at on surveys.questions for each row execute function platform.count_version();
call platform.isolate_by_tenant('surveys.questions');

-- A table of its own, so that responses do not wait for changes of the survey.
create table surveys.counters (
  tenant_id uuid not null,
  survey_id uuid not null,
  invited integer not null default 0,
  sent integer not null default 0,
  bounced integer not null default 0,
  started integer not null default 0,
  completed_invited integer not null default 0,
  completed_link integer not null default 0,
  -- Responses of an anonymous survey that are in no figure yet.
  unreleased integer not null default 0,
  -- Released responses per score: the number of responses with score n is score_counts[n + 1].
  score_counts integer[] not null default array_fill(0, array[11]),
  -- Null for an anonymous survey.
  first_response_at timestamptz,
  constraint counters_pkey primary key (tenant_id, survey_id),
  constraint counters_not_negative check (least(invited, sent, bounced, started, completed_invited, completed_link, unreleased) >= 0),
  constraint counters_score_counts_size check (cardinality(score_counts) = 11),
  constraint counters_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade
) with (fillfactor = 50);
call platform.isolate_by_tenant('surveys.counters');

create table surveys.distributions (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  audience jsonb not null,
  status text collate "C" not null
    constraint distributions_status_known check (status in ('scheduled', 'sending', 'sent', 'cancelled', 'failed')),
  send_at timestamptz not null,
  subject text constraint distributions_subject_length check (length(subject) <= 200),
  message text constraint distributions_message_length check (length(message) <= 5000),
  language text collate "C",
  reminder_days integer[] not null constraint distributions_reminders_size check (cardinality(reminder_days) <= 3),
  expires_in_days integer not null constraint distributions_ttl_range check (expires_in_days between 1 and 365),
  ignore_throttle boolean not null default false,
  task_id uuid,
  recipients integer not null default 0,
  skipped jsonb not null default '{}',
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint distributions_pkey primary key (tenant_id, id),
  constraint distributions_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade,
  constraint distributions_creator_exists foreign key (tenant_id, created_by)
    references identity.users on delete set null (created_by)
);
create index distributions_by_survey on surveys.distributions (tenant_id, survey_id, created_at desc, id desc);
create index distributions_by_creator on surveys.distributions (tenant_id, created_by);
create trigger count_version before update on surveys.distributions for each row execute function platform.count_version();
call platform.isolate_by_tenant('surveys.distributions');

create table surveys.invitations (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  distribution_id uuid not null,
  -- SHA-256 of the token, which is derived from the id and a secret of the workspace.
  token_hash bytea not null constraint invitations_token_hash_length check (octet_length(token_hash) = 32),
  key_version smallint not null default 1,
  -- Null once the person is erased.
  email text constraint invitations_email_length check (length(email) between 3 and 254),
  email_key text generated always as (lower(email)) stored,
  name text constraint invitations_name_length check (length(name) <= 200),
  contact_id uuid,
  lead_id uuid,
  account_id uuid,
  language text collate "C" not null,
  -- Stage and segments of the audience at the time of sending.
  lifecycle_stage text,
  segment_ids uuid[] not null default '{}',
  -- Responses to anonymous surveys do not change the invitation; see surveys.used_tokens.
  status text collate "C" not null default 'pending' constraint invitations_status_known check (status in
    ('pending', 'sent', 'partial', 'responded', 'bounced', 'failed', 'unsubscribed', 'revoked')),
  failure_reason text constraint invitations_failure_reason_length check (length(failure_reason) <= 200),
  sent_at timestamptz,
  responded_at timestamptz,
  expires_at timestamptz not null,
  reminders_sent smallint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint invitations_pkey primary key (tenant_id, id),
  constraint invitations_token_unique unique (tenant_id, token_hash),
  constraint invitations_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade,
  constraint invitations_distribution_exists foreign key (tenant_id, distribution_id)
    references surveys.distributions on delete cascade,
  constraint invitations_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete set null (contact_id),
  constraint invitations_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete set null (lead_id),
  constraint invitations_account_exists foreign key (tenant_id, account_id) references crm.accounts on delete set null (account_id)
) with (fillfactor = 90);
create unique index invitations_open_once on surveys.invitations (tenant_id, survey_id, email_key)
  where status in ('pending', 'sent', 'partial');
create index invitations_by_survey on surveys.invitations (tenant_id, survey_id, created_at desc, id desc);
create index invitations_by_distribution on surveys.invitations (tenant_id, distribution_id, status, id);
create index invitations_by_email on surveys.invitations (tenant_id, email_key, sent_at desc);
create index invitations_by_contact on surveys.invitations (tenant_id, contact_id) where contact_id is not null;
create index invitations_by_lead on surveys.invitations (tenant_id, lead_id) where lead_id is not null;
create index invitations_by_account on surveys.invitations (tenant_id, account_id) where account_id is not null;
create trigger count_version before update on surveys.invitations for each row execute function platform.count_version();
call platform.isolate_by_tenant('surveys.invitations');

-- Open links, one token for every respondent.
create table surveys.links (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  token_hash bytea not null constraint links_token_hash_length check (octet_length(token_hash) = 32),
  -- Editors can copy the link again. Null in an imported workspace, where the link has no token until it is replaced.
  token_kid text collate "C",
  token_cipher bytea,
  revoked_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint links_pkey primary key (tenant_id, id),
  constraint links_token_unique unique (tenant_id, token_hash),
  constraint links_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade,
  constraint links_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by)
);
create unique index links_live_once on surveys.links (tenant_id, survey_id) where revoked_at is null;
create index links_by_survey on surveys.links (tenant_id, survey_id, created_at desc, id desc);
create index links_by_creator on surveys.links (tenant_id, created_by);
call platform.isolate_by_tenant('surveys.links');

-- holder_hash is the hash of a personal token, or of the token of an open link and the submission id.
create table surveys.drafts (
  tenant_id uuid not null,
  holder_hash bytea not null constraint drafts_holder_hash_length check (octet_length(holder_hash) = 32),
  survey_id uuid not null,
  answers jsonb not null,
  language text collate "C" not null,
  started_at timestamptz not null,
  saved_at timestamptz not null,
  expires_at timestamptz not null,
  constraint drafts_pkey primary key (tenant_id, holder_hash),
  constraint drafts_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade
);
create index drafts_by_survey on surveys.drafts (tenant_id, survey_id);
create index drafts_by_expiry on surveys.drafts (tenant_id, expires_at);
call platform.isolate_by_tenant('surveys.drafts');

-- Tokens with which an open anonymous survey was completed, with the same hashes as drafts. Deleted when the survey closes, so
-- that nothing tells who has responded.
create table surveys.used_tokens (
  tenant_id uuid not null,
  holder_hash bytea not null constraint used_tokens_holder_hash_length check (octet_length(holder_hash) = 32),
  survey_id uuid not null,
  constraint used_tokens_pkey primary key (tenant_id, holder_hash),
  constraint used_tokens_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade
);
create index used_tokens_by_survey on surveys.used_tokens (tenant_id, survey_id);
call platform.isolate_by_tenant('surveys.used_tokens');

create table surveys.responses (
  tenant_id uuid not null,
  -- Random for anonymous surveys, otherwise ordered by time.
  id uuid not null,
  survey_id uuid not null,
  invitation_id uuid,
  contact_id uuid,
  lead_id uuid,
  account_id uuid,
  channel text collate "C" not null constraint responses_channel_known check (channel in ('email', 'link')),
  language text collate "C" not null,
  submission_id uuid,
  -- SHA-256 of the canonical answers, to recognize a repeated request. Null for anonymous surveys.
  body_hash bytea constraint responses_body_hash_length check (octet_length(body_hash) = 32),
  score smallint constraint responses_score_range check (score between 0 and 10),
  sentiment text collate "C" constraint responses_sentiment_known check (sentiment in ('positive', 'neutral', 'negative')),
  -- Midnight of the day for anonymous surveys.
  started_at timestamptz not null,
  submitted_at timestamptz not null,
  submitted_on date not null,
  duration_seconds integer,
  lifecycle_stage text,
  segment_ids uuid[] not null default '{}',
  constraint responses_pkey primary key (tenant_id, id),
  constraint responses_invitation_unique unique (tenant_id, invitation_id),
  constraint responses_submission_unique unique (tenant_id, survey_id, submission_id),
  constraint responses_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade,
  constraint responses_invitation_exists foreign key (tenant_id, invitation_id)
    references surveys.invitations on delete set null (invitation_id),
  constraint responses_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete set null (contact_id),
  constraint responses_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete set null (lead_id),
  constraint responses_account_exists foreign key (tenant_id, account_id) references crm.accounts on delete set null (account_id)
);
create index responses_by_survey on surveys.responses (tenant_id, survey_id, submitted_at desc, id desc);
create index responses_by_sentiment on surveys.responses (tenant_id, survey_id, sentiment, submitted_at desc, id desc);
create index responses_by_channel on surveys.responses (tenant_id, survey_id, channel, submitted_at desc, id desc);
create index responses_by_contact on surveys.responses (tenant_id, contact_id, submitted_at desc, id desc)
  where contact_id is not null;
create index responses_by_lead on surveys.responses (tenant_id, lead_id, submitted_at desc, id desc) where lead_id is not null;
create index responses_by_account on surveys.responses (tenant_id, account_id) where account_id is not null;
call platform.isolate_by_tenant('surveys.responses');

-- Completed responses of anonymous surveys, until several of them are moved to surveys.responses together: a look before and one
-- after an answer would tell it otherwise.
create table surveys.unreleased_responses (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  channel text collate "C" not null constraint unreleased_responses_channel_known check (channel in ('email', 'link')),
  language text collate "C" not null,
  score smallint,
  sentiment text collate "C",
  submitted_on date not null,
  lifecycle_stage text,
  segment_ids uuid[] not null default '{}',
  answers jsonb not null,
  constraint unreleased_responses_pkey primary key (tenant_id, id),
  constraint unreleased_responses_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade
);
create index unreleased_responses_by_survey on surveys.unreleased_responses (tenant_id, survey_id, id);
call platform.isolate_by_tenant('surveys.unreleased_responses');

-- One row per question that the respondent saw.
create table surveys.answers (
  tenant_id uuid not null,
  response_id uuid not null,
  question_id uuid not null,
  survey_id uuid not null,
  question_revision integer not null,
  -- Stays true when the text of an erased person is deleted.
  is_answered boolean not null,
  value_number numeric,
  value_text text,
  value_options text[],
  value_json jsonb,
  constraint answers_pkey primary key (tenant_id, response_id, question_id),
  constraint answers_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade,
  constraint answers_response_exists foreign key (tenant_id, response_id) references surveys.responses on delete cascade,
  constraint answers_question_exists foreign key (tenant_id, question_id) references surveys.questions on delete cascade
);
create index answers_with_text on surveys.answers (tenant_id, survey_id, question_id, response_id desc) where value_text is not null;
create index answers_by_question on surveys.answers (tenant_id, question_id);
create index answers_by_survey on surveys.answers (tenant_id, survey_id);
call platform.isolate_by_tenant('surveys.answers');

-- Number and sum of answers per day. bucket: score, option key, row:column, rank:option, * for numbers and texts, _skipped.
create table surveys.answer_stats (
  tenant_id uuid not null,
  survey_id uuid not null,
  question_id uuid not null,
  day date not null,
  bucket text collate "C" not null,
  n bigint not null,
  sum numeric not null default 0,
  constraint answer_stats_pkey primary key (tenant_id, survey_id, question_id, day, bucket),
  constraint answer_stats_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade,
  constraint answer_stats_question_exists foreign key (tenant_id, question_id) references surveys.questions on delete cascade
) with (fillfactor = 80);
create index answer_stats_by_question on surveys.answer_stats (tenant_id, question_id);
call platform.isolate_by_tenant('surveys.answer_stats');

create table surveys.score_stats (
  tenant_id uuid not null,
  survey_id uuid not null,
  day date not null,
  dim text collate "C" not null
    constraint score_stats_dim_known check (dim in ('all', 'language', 'channel', 'lifecycle_stage', 'segment')),
  -- Empty for all.
  dim_value text collate "C" not null,
  score smallint not null constraint score_stats_score_range check (score between 0 and 10),
  n bigint not null,
  constraint score_stats_pkey primary key (tenant_id, survey_id, day, dim, dim_value, score),
  constraint score_stats_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade
) with (fillfactor = 80);
call platform.isolate_by_tenant('surveys.score_stats');
