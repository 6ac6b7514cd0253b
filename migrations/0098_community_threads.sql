create schema community;
grant usage on schema community to app, app_system, app_search;

-- Community rooms, deleted ones included, because threads of deleted rooms must not be listed.
create index rooms_of_community on enablement.rooms (tenant_id, id) where room_type = 'community';

-- A community room without a row has the defaults.
create table community.room_settings (
  tenant_id uuid not null,
  room_id uuid not null,
  public_read boolean not null default false,
  post_policy text collate "C" not null default 'members'
    constraint room_settings_policy_known check (post_policy in ('members', 'moderators')),
  slow_mode_seconds integer not null default 0 constraint room_settings_slow_mode_range check (slow_mode_seconds between 0 and 3600),
  public_author_names text collate "C" not null default 'first'
    constraint room_settings_names_known check (public_author_names in ('full', 'first', 'hidden')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint room_settings_pkey primary key (tenant_id, room_id),
  constraint room_settings_room_exists foreign key (tenant_id, room_id) references enablement.rooms on delete cascade
);
create trigger count_version before update on community.room_settings for each row execute function platform.count_version();
call platform.isolate_by_tenant('community.room_settings');

create table community.threads (
  tenant_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  author_id uuid not null,
  kind text collate "C" not null default 'discussion'
    constraint threads_kind_known check (kind in ('discussion', 'question', 'announcement')),
  -- Title and texts are empty once the thread is purged; the row stays.
  title text not null,
  body text not null,
  body_html text not null,
  body_text text not null,
  -- The beginning of body_text, for lists.
  excerpt text not null constraint threads_excerpt_length check (length(excerpt) <= 280),
  renderer_version smallint not null,
  -- SHA-256 of the normalized body, to find a thread that was created twice.
  body_hash bytea constraint threads_body_hash_length check (octet_length(body_hash) = 32),
  is_pinned boolean not null default false,
  pinned_at timestamptz,
  pinned_by uuid,
  locked_at timestamptz,
  locked_by uuid,
  accepted_reply_id uuid,
  -- Number of visible replies. Changed only while the row is locked.
  reply_count integer not null default 0 constraint threads_reply_count_range check (reply_count >= 0),
  next_reply_no integer not null default 1,
  last_reply_at timestamptz,
  last_reply_id uuid,
  -- Creation of the thread or of the last visible reply.
  last_activity_at timestamptz not null,
  edited_at timestamptz,
  hidden_at timestamptz,
  hidden_by uuid,
  hidden_reason text constraint threads_hidden_reason_length check (length(hidden_reason) <= 500),
  deleted_at timestamptz,
  deleted_by uuid,
  purged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint threads_pkey primary key (tenant_id, id),
  constraint threads_title_length check (length(title) between 3 and 200 or purged_at is not null),
  constraint threads_body_length check (length(body) between 1 and 20000 or purged_at is not null),
  constraint threads_body_html_length check (length(body_html) <= 50000),
  constraint threads_deleted_not_pinned check (deleted_at is null or not is_pinned),
  constraint threads_purged_deleted check (purged_at is null or deleted_at is not null),
  constraint threads_room_exists foreign key (tenant_id, room_id) references enablement.rooms,
  constraint threads_author_exists foreign key (tenant_id, author_id) references identity.users,
  constraint threads_pinner_exists foreign key (tenant_id, pinned_by) references identity.users on delete set null (pinned_by),
  constraint threads_locker_exists foreign key (tenant_id, locked_by) references identity.users on delete set null (locked_by),
  constraint threads_hider_exists foreign key (tenant_id, hidden_by) references identity.users on delete set null (hidden_by),
  constraint threads_deleter_exists foreign key (tenant_id, deleted_by) references identity.users on delete set null (deleted_by)
) with (fillfactor = 90);

create table community.replies (
  tenant_id uuid not null,
  id uuid not null,
  thread_id uuid not null,
  reply_no integer not null constraint replies_no_positive check (reply_no > 0),
  author_id uuid not null,
  reply_to_id uuid,
  -- Empty once the reply is purged; the row stays, so that numbers are not used again.
  body text not null,
  body_html text not null,
  body_text text not null,
  renderer_version smallint not null,
  edited_at timestamptz,
  hidden_at timestamptz,
  hidden_by uuid,
  hidden_reason text constraint replies_hidden_reason_length check (length(hidden_reason) <= 500),
  deleted_at timestamptz,
  deleted_by uuid,
  purged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint replies_pkey primary key (tenant_id, id),
  constraint replies_no_unique unique (tenant_id, thread_id, reply_no),
  constraint replies_body_length check (length(body) between 1 and 10000 or purged_at is not null),
  constraint replies_body_html_length check (length(body_html) <= 50000),
  constraint replies_purged_deleted check (purged_at is null or deleted_at is not null),
  constraint replies_thread_exists foreign key (tenant_id, thread_id) references community.threads on delete cascade
    deferrable initially immediate,
  constraint replies_author_exists foreign key (tenant_id, author_id) references identity.users,
  constraint replies_answered_exists foreign key (tenant_id, reply_to_id) references community.replies
    on delete set null (reply_to_id) deferrable initially immediate,
  constraint replies_hider_exists foreign key (tenant_id, hidden_by) references identity.users on delete set null (hidden_by),
  constraint replies_deleter_exists foreign key (tenant_id, deleted_by) references identity.users on delete set null (deleted_by)
);

alter table community.threads
  add constraint threads_accepted_reply_exists foreign key (tenant_id, accepted_reply_id) references community.replies
    on delete set null (accepted_reply_id) deferrable initially immediate,
  add constraint threads_last_reply_exists foreign key (tenant_id, last_reply_id) references community.replies
    on delete set null (last_reply_id) deferrable initially immediate;

create index threads_by_room on community.threads (tenant_id, room_id, is_pinned desc, last_activity_at desc, id desc)
  where hidden_at is null and deleted_at is null;
create index threads_by_activity on community.threads (tenant_id, last_activity_at desc, id desc)
  where hidden_at is null and deleted_at is null;
create index threads_by_kind on community.threads (tenant_id, kind, last_activity_at desc, id desc)
  where hidden_at is null and deleted_at is null;
create index threads_unanswered on community.threads (tenant_id, last_activity_at desc, id desc)
  where kind = 'question' and accepted_reply_id is null and hidden_at is null and deleted_at is null;
create index threads_of_room on community.threads (tenant_id, room_id, id);
create index threads_concealed_by_room on community.threads (tenant_id, room_id, is_pinned desc, last_activity_at desc, id desc)
  where hidden_at is not null or deleted_at is not null;
create index threads_concealed on community.threads (tenant_id, last_activity_at desc, id desc)
  where hidden_at is not null or deleted_at is not null;
create index threads_deleted on community.threads (tenant_id, deleted_at) where deleted_at is not null and purged_at is null;
create index threads_pinned on community.threads (tenant_id, room_id) where is_pinned;
create index threads_by_author on community.threads (tenant_id, author_id, created_at desc, id desc);
create index threads_by_pinner on community.threads (tenant_id, pinned_by) where pinned_by is not null;
create index threads_by_locker on community.threads (tenant_id, locked_by) where locked_by is not null;
create index threads_by_hider on community.threads (tenant_id, hidden_by) where hidden_by is not null;
create index threads_by_deleter on community.threads (tenant_id, deleted_by) where deleted_by is not null;
create index threads_by_accepted_reply on community.threads (tenant_id, accepted_reply_id) where accepted_reply_id is not null;
create index threads_by_last_reply on community.threads (tenant_id, last_reply_id) where last_reply_id is not null;
create index threads_by_change on community.threads (tenant_id, updated_at);
-- Replies are no new version of the thread.
create trigger count_version before update of room_id, kind, title, body, is_pinned, locked_at, accepted_reply_id, hidden_at, deleted_at
  on community.threads for each row execute function platform.count_version();
create trigger touch before update of reply_count, next_reply_no, last_reply_id, last_activity_at
  on community.threads for each row execute function platform.touch();
call platform.isolate_by_tenant('community.threads');

create index replies_visible on community.replies (tenant_id, thread_id, reply_no, id) where hidden_at is null and deleted_at is null;
create index replies_by_author on community.replies (tenant_id, author_id, created_at desc, id desc);
create index replies_by_answered on community.replies (tenant_id, reply_to_id) where reply_to_id is not null;
create index replies_by_hider on community.replies (tenant_id, hidden_by) where hidden_by is not null;
create index replies_by_deleter on community.replies (tenant_id, deleted_by) where deleted_by is not null;
create index replies_deleted on community.replies (tenant_id, deleted_at) where deleted_at is not null and purged_at is null;
create trigger count_version before update of body, hidden_at, deleted_at
  on community.replies for each row execute function platform.count_version();
call platform.isolate_by_tenant('community.replies');

-- Words of threads and replies. A table of its own, because every reply updates its thread, and the GIN index would be
-- updated with all words of the thread.
create table community.post_words (
  tenant_id uuid not null,
  post_id uuid not null,
  thread_id uuid not null,
  -- Null for the thread itself.
  reply_no integer,
  words tsvector not null,
  constraint post_words_pkey primary key (tenant_id, post_id),
  constraint post_words_thread_exists foreign key (tenant_id, thread_id) references community.threads on delete cascade
);
create index post_words_by_thread on community.post_words (tenant_id, thread_id);
create index post_words_search on community.post_words using gin (tenant_id, words);
call platform.isolate_by_tenant('community.post_words');

create function community.store_thread_words() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into community.post_words (tenant_id, post_id, thread_id, words)
  values (new.tenant_id, new.id, new.id,
    setweight(to_tsvector('simple', new.title), 'A') || setweight(to_tsvector('simple', new.body_text), 'B'))
  on conflict (tenant_id, post_id) do update set words = excluded.words;
  return null;
end $$;
create trigger store_words after insert or update of title, body_text
  on community.threads for each row execute function community.store_thread_words();

create function community.store_reply_words() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into community.post_words (tenant_id, post_id, thread_id, reply_no, words)
  values (new.tenant_id, new.id, new.thread_id, new.reply_no, setweight(to_tsvector('simple', new.body_text), 'B'))
  on conflict (tenant_id, post_id) do update set words = excluded.words;
  return null;
end $$;
create trigger store_words after insert or update of body_text
  on community.replies for each row execute function community.store_reply_words();

-- A mention is hidden and deleted with its post, a thread or a reply.
create table community.mentions (
  tenant_id uuid not null,
  post_id uuid not null,
  user_id uuid not null,
  thread_id uuid not null,
  post_kind text collate "C" not null constraint mentions_kind_known check (post_kind in ('thread', 'reply')),
  notified_at timestamptz,
  created_at timestamptz not null default now(),
  constraint mentions_pkey primary key (tenant_id, post_id, user_id),
  constraint mentions_thread_exists foreign key (tenant_id, thread_id) references community.threads on delete cascade,
  constraint mentions_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
create index mentions_by_user on community.mentions (tenant_id, user_id, created_at desc);
create index mentions_by_thread on community.mentions (tenant_id, thread_id);
call platform.isolate_by_tenant('community.mentions');

create table community.reports (
  tenant_id uuid not null,
  id uuid not null,
  thread_id uuid not null,
  -- Null if the thread itself is reported.
  reply_id uuid,
  reporter_id uuid not null,
  reason text collate "C" not null
    constraint reports_reason_known check (reason in ('spam', 'abuse', 'off_topic', 'personal_data', 'other')),
  note text constraint reports_note_length check (length(note) <= 500),
  resolved_at timestamptz,
  resolved_by uuid,
  resolution text collate "C" constraint reports_resolution_known check (resolution in ('kept', 'hidden', 'deleted')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint reports_pkey primary key (tenant_id, id),
  constraint reports_once unique nulls not distinct (tenant_id, thread_id, reply_id, reporter_id),
  constraint reports_resolution_complete check ((resolved_at is null) = (resolution is null)),
  constraint reports_thread_exists foreign key (tenant_id, thread_id) references community.threads on delete cascade,
  constraint reports_reply_exists foreign key (tenant_id, reply_id) references community.replies on delete cascade,
  constraint reports_reporter_exists foreign key (tenant_id, reporter_id) references identity.users,
  constraint reports_resolver_exists foreign key (tenant_id, resolved_by) references identity.users on delete set null (resolved_by)
);
create index reports_open on community.reports (tenant_id, created_at desc, id desc) where resolved_at is null;
create index reports_by_reply on community.reports (tenant_id, reply_id) where reply_id is not null;
create index reports_by_reporter on community.reports (tenant_id, reporter_id, created_at desc);
create index reports_by_resolver on community.reports (tenant_id, resolved_by) where resolved_by is not null;
create trigger count_version before update on community.reports for each row execute function platform.count_version();
call platform.isolate_by_tenant('community.reports');
