-- What a user decided and read in a thread. Users without a row have read nothing and follow only their own threads.
create table community.thread_readers (
  tenant_id uuid not null,
  thread_id uuid not null,
  user_id uuid not null,
  -- Null if the user never decided: authors follow their threads, others do not.
  is_following boolean,
  -- Number of the last reply that the user has read, 0 for the thread itself.
  last_read_no integer constraint thread_readers_no_range check (last_read_no >= 0),
  created_at timestamptz not null default now(),
  constraint thread_readers_pkey primary key (tenant_id, thread_id, user_id),
  constraint thread_readers_thread_exists foreign key (tenant_id, thread_id) references community.threads on delete cascade,
  constraint thread_readers_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
create index thread_readers_by_user on community.thread_readers (tenant_id, user_id, thread_id);
create index thread_followers on community.thread_readers (tenant_id, thread_id, user_id) where is_following;
create index threads_followed on community.thread_readers (tenant_id, user_id, thread_id) where is_following;
call platform.isolate_by_tenant('community.thread_readers');
