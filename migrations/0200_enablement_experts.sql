-- Users who answer questions about topics.
create table enablement.experts (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  headline text constraint experts_headline_length check (length(headline) between 1 and 120),
  bio text constraint experts_bio_length check (length(bio) <= 2000),
  topics text[] not null constraint experts_topics_size check (cardinality(topics) between 1 and 20),
  languages text[] not null default '{}' constraint experts_languages_size check (cardinality(languages) <= 20),
  timezone text not null constraint experts_timezone_length check (length(timezone) <= 100),
  max_open integer not null default 5 constraint experts_max_open_range check (max_open between 1 and 50),
  is_active boolean not null default true,
  -- The last day of an absence, in the time zone of the expert.
  out_until_on date,
  last_assigned_at timestamptz,
  -- Sum and number of the ratings of the requests of the expert.
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  -- Average rating as if five ratings of 4 came first, so that a single 5 does not lead.
  rank_score numeric(6, 4) not null generated always as ((20 + rating_sum)::numeric / (5 + rating_count)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint experts_pkey primary key (tenant_id, id),
  constraint experts_user_unique unique (tenant_id, user_id),
  constraint experts_ratings_sum check (rating_sum between rating_count and 5 * rating_count),
  constraint experts_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
-- Ratings and assignments are no new version of the profile.
create trigger count_version before update of headline, bio, topics, languages, timezone, max_open, is_active, out_until_on
  on enablement.experts for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.experts');

-- The topics of experts, because array operators cannot use an index under row-level security.
create table enablement.expert_topics (
  tenant_id uuid not null,
  topic text collate "C" not null constraint expert_topics_topic_format check (topic ~ '^[a-z0-9][a-z0-9_-]{0,59}$'),
  expert_id uuid not null,
  constraint expert_topics_pkey primary key (tenant_id, topic, expert_id),
  constraint expert_topics_expert_exists foreign key (tenant_id, expert_id) references enablement.experts on delete cascade
);
create index expert_topics_by_expert on enablement.expert_topics (tenant_id, expert_id);
call platform.isolate_by_tenant('enablement.expert_topics');

create table enablement.expert_requests (
  tenant_id uuid not null,
  id uuid not null,
  requester_id uuid not null,
  topic text collate "C" not null constraint expert_requests_topic_format check (topic ~ '^[a-z0-9][a-z0-9_-]{0,59}$'),
  subject text not null constraint expert_requests_subject_length check (length(subject) between 1 and 150),
  body text not null constraint expert_requests_body_length check (length(body) between 1 and 8000),
  priority text collate "C" not null default 'normal'
    constraint expert_requests_priority_known check (priority in ('low', 'normal', 'high', 'urgent')),
  account_id uuid,
  opportunity_id uuid,
  content_item_ids uuid[] not null default '{}'
    constraint expert_requests_content_size check (cardinality(content_item_ids) <= 10),
  expert_id uuid,
  -- Stays when the expert is deleted.
  expert_user_id uuid,
  -- Sent to one expert on purpose, so it is not given to another one when its time is over.
  is_direct boolean not null default false,
  status text collate "C" not null
    constraint expert_requests_status_known check (status in ('open', 'assigned', 'in_progress', 'answered', 'closed', 'cancelled')),
  -- The creation or the last reopening, from which the time is counted.
  clock_started_at timestamptz not null,
  due_at timestamptz not null,
  first_response_at timestamptz,
  answered_at timestamptz,
  closed_at timestamptz,
  answer text constraint expert_requests_answer_length check (length(answer) between 1 and 20000),
  answer_content_item_ids uuid[] not null default '{}'
    constraint expert_requests_answer_content_size check (cardinality(answer_content_item_ids) <= 10),
  -- Users who declined the request or let its time pass.
  declined_by uuid[] not null default '{}',
  rating integer constraint expert_requests_rating_range check (rating between 1 and 5),
  rating_comment text constraint expert_requests_rating_comment_length check (length(rating_comment) <= 1000),
  sla_breached_at timestamptz,
  reopen_count integer not null default 0 constraint expert_requests_reopen_count_range check (reopen_count between 0 and 3),
  -- When the schedule has to look at the request next; null if only users can change it.
  next_check_at timestamptz,
  -- Open requests by due time, then the others, the newest first.
  list_order bigint not null generated always as (
    case when status in ('open', 'assigned', 'in_progress') then floor(extract(epoch from due_at at time zone 'UTC'))::bigint
    else 100000000000 - floor(extract(epoch from created_at at time zone 'UTC'))::bigint end) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint expert_requests_pkey primary key (tenant_id, id),
  constraint expert_requests_open_unassigned check (status <> 'open' or (expert_id is null and expert_user_id is null)),
  constraint expert_requests_answered check (status not in ('answered', 'closed') or answered_at is not null),
  constraint expert_requests_rated_when_answered check (rating is null or status in ('answered', 'closed')),
  constraint expert_requests_requester_exists foreign key (tenant_id, requester_id) references identity.users on delete cascade,
  constraint expert_requests_expert_exists foreign key (tenant_id, expert_id)
    references enablement.experts on delete set null (expert_id),
  constraint expert_requests_expert_user_exists foreign key (tenant_id, expert_user_id)
    references identity.users on delete set null (expert_user_id),
  constraint expert_requests_account_exists foreign key (tenant_id, account_id)
    references crm.accounts on delete set null (account_id),
  constraint expert_requests_opportunity_exists foreign key (tenant_id, opportunity_id)
    references crm.opportunities on delete set null (opportunity_id)
) with (fillfactor = 80);
create index expert_requests_by_order on enablement.expert_requests (tenant_id, list_order, id);
create index expert_requests_by_status on enablement.expert_requests (tenant_id, status, list_order, id);
create index expert_requests_by_topic on enablement.expert_requests (tenant_id, topic, list_order, id);
create index expert_requests_by_requester on enablement.expert_requests (tenant_id, requester_id, list_order, id);
create index expert_requests_by_expert_user on enablement.expert_requests (tenant_id, expert_user_id, list_order, id)
  where expert_user_id is not null;
create index expert_requests_by_expert on enablement.expert_requests (tenant_id, expert_id, status)
  where expert_id is not null;
create index expert_requests_breached on enablement.expert_requests (tenant_id, list_order, id)
  where sla_breached_at is not null;
create index expert_requests_by_account on enablement.expert_requests (tenant_id, account_id) where account_id is not null;
create index expert_requests_by_opportunity on enablement.expert_requests (tenant_id, opportunity_id)
  where opportunity_id is not null;
create index expert_requests_by_creation on enablement.expert_requests (tenant_id, created_at);
create index expert_requests_to_check on enablement.expert_requests (next_check_at, tenant_id, id)
  where next_check_at is not null;
create trigger count_version before update of priority, account_id, opportunity_id, expert_id, status, due_at, first_response_at, answer,
  answer_content_item_ids, rating, rating_comment, sla_breached_at, subject, body
  on enablement.expert_requests for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.expert_requests');
grant select (tenant_id, next_check_at) on enablement.expert_requests to app_retention;
create policy maintenance_select on enablement.expert_requests for select to app_retention
  using (platform.current_tenant_id() is null);

-- Assignments, notes and changes of status of a request.
create table enablement.expert_request_events (
  tenant_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  actor_id uuid,
  kind text collate "C" not null constraint expert_request_events_kind_known check (kind in
    ('created', 'assigned', 'unassigned', 'accepted', 'declined', 'answered', 'closed', 'reopened', 'cancelled', 'breached')),
  -- The user to whom the request was assigned; former experts can still see it.
  expert_user_id uuid,
  note text constraint expert_request_events_note_length check (length(note) <= 2000),
  from_status text collate "C",
  to_status text collate "C",
  created_at timestamptz not null,
  constraint expert_request_events_pkey primary key (tenant_id, id),
  constraint expert_request_events_request_exists foreign key (tenant_id, request_id)
    references enablement.expert_requests on delete cascade,
  constraint expert_request_events_actor_exists foreign key (tenant_id, actor_id)
    references identity.users on delete set null (actor_id),
  constraint expert_request_events_expert_exists foreign key (tenant_id, expert_user_id)
    references identity.users on delete set null (expert_user_id)
);
create index expert_request_events_by_request on enablement.expert_request_events (tenant_id, request_id, created_at, id);
create index expert_request_events_by_expert on enablement.expert_request_events (tenant_id, expert_user_id, request_id)
  where expert_user_id is not null;
create index expert_request_events_by_actor on enablement.expert_request_events (tenant_id, actor_id) where actor_id is not null;
call platform.isolate_by_tenant('enablement.expert_request_events');
