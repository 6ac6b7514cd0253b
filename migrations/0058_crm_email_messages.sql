-- Email that is not transactional: the work table of the dispatcher and the log in one.
create table crm.email_messages (
  tenant_id uuid not null,
  id uuid not null,
  kind text collate "C" not null constraint email_messages_kind_form check (kind ~ '^[a-z][a-z_]{0,39}$'),
  ref_id uuid not null,
  -- Null after the erasure of the person.
  to_address text constraint email_messages_to_address_length check (length(to_address) between 3 and 254),
  to_key text collate "C",
  to_name text constraint email_messages_to_name_length check (length(to_name) <= 200),
  lead_id uuid,
  contact_id uuid,
  state text collate "C" not null default 'waiting' constraint email_messages_state_known check (state in
    ('waiting', 'claimed', 'sent', 'uncertain', 'failed', 'skipped', 'bounced', 'complained')),
  run_at timestamptz not null,
  claim_id uuid,
  claimed_at timestamptz,
  attempts smallint not null default 0,
  message_id text collate "C" constraint email_messages_message_id_length check (length(message_id) <= 250),
  unsubscribe_token_hash bytea constraint email_messages_token_hash_length check (octet_length(unsubscribe_token_hash) = 32),
  subject text constraint email_messages_subject_length check (length(subject) <= 500),
  body_text text,
  body_html text,
  sent_at timestamptz,
  replied_at timestamptz,
  skip_reason text collate "C" constraint email_messages_skip_reason_form check (skip_reason ~ '^[a-z][a-z_]{0,39}$'),
  last_error text constraint email_messages_last_error_length check (length(last_error) <= 500),
  created_at timestamptz not null default now(),
  constraint email_messages_pkey primary key (tenant_id, id),
  constraint email_messages_claimed_with_claim check (state <> 'claimed' or (claim_id is not null and claimed_at is not null)),
  constraint email_messages_waiting_with_address check (state not in ('waiting', 'claimed') or to_address is not null)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

create index email_messages_waiting on crm.email_messages (tenant_id, run_at, id) where state = 'waiting';
create index email_messages_claimed on crm.email_messages (tenant_id, claimed_at, id) where state = 'claimed';
create index email_messages_uncertain on crm.email_messages (tenant_id, id) where state = 'uncertain';
create unique index email_messages_message_id on crm.email_messages (tenant_id, message_id) where message_id is not null;
create unique index email_messages_unsubscribe_token on crm.email_messages (tenant_id, unsubscribe_token_hash)
  where unsubscribe_token_hash is not null;
create index email_messages_by_address on crm.email_messages (tenant_id, to_key) where to_key is not null;
create index email_messages_by_lead on crm.email_messages (tenant_id, lead_id) where lead_id is not null;
create index email_messages_by_contact on crm.email_messages (tenant_id, contact_id) where contact_id is not null;
call platform.isolate_by_tenant('crm.email_messages');

-- Bounces, complaints and replies that a mail provider has reported; the external id makes a repeated report harmless.
create table crm.email_events (
  tenant_id uuid not null,
  id uuid not null,
  external_id text collate "C" not null
    constraint email_events_external_id_length check (length(external_id) between 1 and 200),
  kind text collate "C" not null constraint email_events_kind_known check (kind in ('bounce', 'complaint', 'reply')),
  bounce_type text collate "C" constraint email_events_bounce_type_known check (bounce_type in ('hard', 'soft')),
  email_message_id uuid,
  received_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint email_events_pkey primary key (tenant_id, id),
  constraint email_events_external_id_unique unique (tenant_id, external_id),
  constraint email_events_bounce_with_type check ((kind = 'bounce') = (bounce_type is not null))
);
call platform.isolate_by_tenant('crm.email_events');
