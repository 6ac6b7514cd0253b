-- What people are told of. A row is written in the transaction of what it tells; its mail, if there is one, goes out later.
create table platform.notifications (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text collate "C" not null constraint notifications_kind_named check (kind ~ '^[a-z_]+\.[a-z_]+$'),
  -- Ids and short texts.
  payload jsonb not null constraint notifications_payload_size check (octet_length(payload::text) <= 16384),
  resource_type text,
  resource_id uuid,
  -- The same thing is told once.
  dedupe_key text constraint notifications_dedupe_key_length check (length(dedupe_key) <= 200),
  -- What may share a mail.
  coalesce_key text constraint notifications_coalesce_key_length check (length(coalesce_key) <= 200),
  -- False for somebody who wants the mail only.
  in_app boolean not null,
  by_mail boolean not null,
  -- The mail it is part of, from the moment that mail is put together.
  mail_id uuid,
  mailed_at timestamptz,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  constraint notifications_pkey primary key (tenant_id, id),
  constraint notifications_once unique (tenant_id, user_id, dedupe_key),
  constraint notifications_resource_whole check ((resource_type is null) = (resource_id is null)),
  constraint notifications_reach_somebody check (in_app or by_mail),
  constraint notifications_mailed_in_a_mail check (mailed_at is null or mail_id is not null)
);

create index notifications_by_user on platform.notifications (tenant_id, user_id, id desc) where in_app;
create index notifications_unread on platform.notifications (tenant_id, user_id, id desc) where in_app and read_at is null;
create index notifications_to_gather on platform.notifications (tenant_id, user_id, kind, coalesce_key)
  where by_mail and mail_id is null;
create index notifications_by_mail on platform.notifications (tenant_id, mail_id) where mail_id is not null;
create index notifications_by_age on platform.notifications (created_at);

call platform.isolate_by_tenant('platform.notifications');
-- Across tenants, and only there: what is too old to keep.
create policy upkeep_sees on platform.notifications for select to app_system
  using (platform.current_tenant_id() is null);
create policy upkeep_forgets on platform.notifications for delete to app_system
  using (platform.current_tenant_id() is null);
