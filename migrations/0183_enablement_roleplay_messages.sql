-- Messages of roleplays, numbered from 1 without gaps.
create table enablement.roleplay_messages (
  tenant_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  seq integer not null constraint roleplay_messages_seq_range check (seq > 0),
  role text collate "C" not null constraint roleplay_messages_role_known check (role in ('rep', 'buyer')),
  text text not null constraint roleplay_messages_text_length check (length(text) between 1 and 4000),
  spoken_seconds numeric(6, 2) constraint roleplay_messages_spoken_range check (spoken_seconds between 0 and 600),
  -- Chosen by the client, so that a repeated request does not add a message.
  client_message_id text collate "C"
    constraint roleplay_messages_client_id_length check (length(client_message_id) between 1 and 64),
  -- Who worded a reply of the buyer; a repeated request gets the same response.
  engine text collate "C" constraint roleplay_messages_engine_known check (engine in ('model', 'rules')),
  model text,
  fallback_reason text collate "C",
  -- In a voice call: what the buyer says next.
  cue text,
  created_at timestamptz not null default now(),
  constraint roleplay_messages_pkey primary key (tenant_id, id),
  constraint roleplay_messages_seq_unique unique (tenant_id, session_id, seq),
  constraint roleplay_messages_client_id_unique unique (tenant_id, session_id, client_message_id),
  constraint roleplay_messages_session_exists foreign key (tenant_id, session_id)
    references enablement.coaching_sessions on delete cascade
);
create index roleplay_messages_by_creation on enablement.roleplay_messages (tenant_id, created_at);
call platform.isolate_by_tenant('enablement.roleplay_messages');
grant select (tenant_id, created_at) on enablement.roleplay_messages to app_retention;
create policy maintenance_select on enablement.roleplay_messages for select to app_retention
  using (platform.current_tenant_id() is null);
