-- Pages that sellers share with buyers: content, links, texts and a mutual action plan.
create table enablement.rooms (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint rooms_name_length check (length(name) between 1 and 150),
  name_key text not null generated always as (lower(name)) stored,
  -- Shown to visitors instead of the name.
  public_title text constraint rooms_public_title_length check (length(public_title) between 1 and 150),
  room_type text collate "C" not null default 'deal' constraint rooms_type_known check (room_type in
    ('deal', 'onboarding', 'renewal', 'evaluation', 'partner', 'event', 'community', 'general')),
  status text collate "C" not null default 'draft'
    constraint rooms_status_known check (status in ('draft', 'active', 'closed', 'archived')),
  account_id uuid,
  opportunity_id uuid,
  primary_contact_id uuid,
  owner_id uuid not null,
  is_template boolean not null default false,
  welcome text constraint rooms_welcome_length check (length(welcome) <= 5000),
  branding jsonb not null default '{}',
  settings jsonb not null default '{}',
  -- Null until the first visit.
  engagement_score integer constraint rooms_score_range check (engagement_score between 0 and 100),
  engagement_band text collate "C" not null default 'cold'
    constraint rooms_band_known check (engagement_band in ('hot', 'warm', 'cool', 'cold')),
  hot_alert_at timestamptz,
  silent_alert_at timestamptz,
  first_external_visit_at timestamptz,
  last_external_visit_at timestamptz,
  activated_at timestamptz,
  closed_at timestamptz,
  search_text text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  constraint rooms_pkey primary key (tenant_id, id),
  constraint rooms_account_exists foreign key (tenant_id, account_id) references crm.accounts on delete set null (account_id),
  constraint rooms_opportunity_exists foreign key (tenant_id, opportunity_id)
    references crm.opportunities on delete set null (opportunity_id),
  constraint rooms_contact_exists foreign key (tenant_id, primary_contact_id)
    references crm.contacts on delete set null (primary_contact_id),
  constraint rooms_owner_exists foreign key (tenant_id, owner_id) references identity.users,
  constraint rooms_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by)
) with (fillfactor = 90);
create index rooms_by_status on enablement.rooms (tenant_id, status, updated_at, id) where deleted_at is null;
create index rooms_by_name on enablement.rooms (tenant_id, name_key, id) where deleted_at is null;
create index rooms_by_score on enablement.rooms (tenant_id, engagement_score, id) where deleted_at is null;
create index rooms_by_last_visit on enablement.rooms (tenant_id, last_external_visit_at, id) where deleted_at is null;
create index rooms_by_account on enablement.rooms (tenant_id, account_id, updated_at, id);
create index rooms_by_opportunity on enablement.rooms (tenant_id, opportunity_id, updated_at, id);
create index rooms_by_contact on enablement.rooms (tenant_id, primary_contact_id) where primary_contact_id is not null;
create index rooms_by_owner on enablement.rooms (tenant_id, owner_id, updated_at, id);
create index rooms_by_creator on enablement.rooms (tenant_id, created_by);
create index rooms_active on enablement.rooms (tenant_id, id) where status = 'active' and deleted_at is null;
create index rooms_by_text on enablement.rooms using gin (crm.text_grams(tenant_id, 'room', search_text)) where deleted_at is null;
-- Visits change the score, which is no new version of the room.
create trigger count_version before update of name, public_title, room_type, status, account_id, opportunity_id, primary_contact_id,
  owner_id, is_template, welcome, branding, settings, deleted_at
  on enablement.rooms for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.rooms');

-- Runs as app_search, to which all rows are open, and therefore names the tenant itself.
create policy search on enablement.rooms for select to app_search using (true);
grant select (tenant_id, id, search_text, deleted_at) on enablement.rooms to app_search;
create function enablement.search_rooms(words text[], cap integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set enable_seqscan = off set work_mem = '16MB'
as $$
declare
  tenant uuid := platform.current_tenant_id();
  grams bigint[] := crm.word_grams(tenant, 'room', words);
  patterns text[] := crm.search_patterns(words);
begin
  return query
    select id from (
      select tenant_id, id, search_text from enablement.rooms
      where crm.text_grams(tenant_id, 'room', search_text) @> grams and deleted_at is null offset 0) as candidate
    where tenant_id = tenant and search_text like all (patterns)
    limit cap;
end $$;
grant create on schema enablement to app_search;
alter function enablement.search_rooms owner to app_search;
revoke create on schema enablement from app_search;
grant execute on function enablement.search_rooms to app;

create table enablement.room_collaborators (
  tenant_id uuid not null,
  room_id uuid not null,
  user_id uuid not null,
  role text collate "C" not null constraint room_collaborators_role_known check (role in ('editor', 'viewer')),
  created_at timestamptz not null default now(),
  constraint room_collaborators_pkey primary key (tenant_id, room_id, user_id),
  constraint room_collaborators_room_exists foreign key (tenant_id, room_id) references enablement.rooms on delete cascade,
  constraint room_collaborators_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
create index room_collaborators_by_user on enablement.room_collaborators (tenant_id, user_id);
call platform.isolate_by_tenant('enablement.room_collaborators');

create table enablement.room_sections (
  tenant_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  title text not null constraint room_sections_title_length check (length(title) between 1 and 120),
  description text constraint room_sections_description_length check (length(description) <= 1000),
  position integer not null,
  created_at timestamptz not null default now(),
  constraint room_sections_pkey primary key (tenant_id, id),
  constraint room_sections_room_exists foreign key (tenant_id, room_id) references enablement.rooms on delete cascade
);
create index room_sections_by_room on enablement.room_sections (tenant_id, room_id, position);
call platform.isolate_by_tenant('enablement.room_sections');

create table enablement.room_links (
  tenant_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  label text constraint room_links_label_length check (length(label) between 1 and 80),
  is_default boolean not null default false,
  token_hash bytea not null constraint room_links_token_hash_length check (octet_length(token_hash) = 32),
  -- Editors can copy the link again. Null in an imported workspace, where the link has no token until it is replaced.
  token_kid text collate "C",
  token_cipher bytea,
  access text collate "C" not null default 'anyone'
    constraint room_links_access_known check (access in ('anyone', 'email', 'verified_email', 'allow_list')),
  password_hash text,
  allowed text[] not null default '{}' constraint room_links_allowed_size check (cardinality(allowed) <= 500),
  blocked text[] not null default '{}' constraint room_links_blocked_size check (cardinality(blocked) <= 500),
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid,
  recipient_contact_id uuid,
  recipient_email text constraint room_links_recipient_email_length check (length(recipient_email) between 3 and 254),
  visit_count integer not null default 0,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint room_links_pkey primary key (tenant_id, id),
  constraint room_links_token_unique unique (tenant_id, token_hash),
  constraint room_links_room_exists foreign key (tenant_id, room_id) references enablement.rooms on delete cascade,
  constraint room_links_revoker_exists foreign key (tenant_id, revoked_by) references identity.users on delete set null (revoked_by),
  constraint room_links_recipient_exists foreign key (tenant_id, recipient_contact_id)
    references crm.contacts on delete set null (recipient_contact_id)
);
create unique index room_links_default_once on enablement.room_links (tenant_id, room_id) where is_default and revoked_at is null;
create index room_links_by_room on enablement.room_links (tenant_id, room_id, created_at, id);
create index room_links_by_revoker on enablement.room_links (tenant_id, revoked_by) where revoked_by is not null;
create index room_links_by_recipient on enablement.room_links (tenant_id, recipient_contact_id) where recipient_contact_id is not null;
create trigger count_version before update of label, access, password_hash, allowed, blocked, expires_at, revoked_at
  on enablement.room_links for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.room_links');

create table enablement.room_plan_steps (
  tenant_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  title text not null constraint room_plan_steps_title_length check (length(title) between 1 and 200),
  description text constraint room_plan_steps_description_length check (length(description) <= 2000),
  side text collate "C" not null constraint room_plan_steps_side_known check (side in ('seller', 'buyer')),
  assignee_user_id uuid,
  assignee_name text constraint room_plan_steps_assignee_name_length check (length(assignee_name) <= 120),
  assignee_email text constraint room_plan_steps_assignee_email_length check (length(assignee_email) between 3 and 254),
  due_on date,
  status text collate "C" not null default 'todo'
    constraint room_plan_steps_status_known check (status in ('todo', 'in_progress', 'done', 'cancelled')),
  is_internal boolean not null default false,
  position integer not null,
  completed_at timestamptz,
  completed_by text constraint room_plan_steps_completed_by_length check (length(completed_by) <= 254),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint room_plan_steps_pkey primary key (tenant_id, id),
  constraint room_plan_steps_room_exists foreign key (tenant_id, room_id) references enablement.rooms on delete cascade,
  constraint room_plan_steps_assignee_exists foreign key (tenant_id, assignee_user_id)
    references identity.users on delete set null (assignee_user_id)
);
create index room_plan_steps_by_room on enablement.room_plan_steps (tenant_id, room_id, position);
create index room_plan_steps_by_assignee on enablement.room_plan_steps (tenant_id, assignee_user_id)
  where assignee_user_id is not null;
create trigger count_version before update on enablement.room_plan_steps for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.room_plan_steps');

create table enablement.room_visitors (
  tenant_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  -- Email, name and contact are null for anonymous and erased visitors.
  email text constraint room_visitors_email_length check (length(email) between 3 and 254),
  email_key text generated always as (lower(email)) stored,
  email_verified_at timestamptz,
  name text constraint room_visitors_name_length check (length(name) between 1 and 120),
  contact_id uuid,
  is_internal boolean not null default false,
  is_bot boolean not null default false,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint room_visitors_pkey primary key (tenant_id, id),
  constraint room_visitors_room_exists foreign key (tenant_id, room_id) references enablement.rooms on delete cascade,
  constraint room_visitors_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete set null (contact_id)
);
create unique index room_visitors_email_once on enablement.room_visitors (tenant_id, room_id, email_key) where email is not null;
create index room_visitors_by_room on enablement.room_visitors (tenant_id, room_id, last_seen_at);
create index room_visitors_by_email on enablement.room_visitors (tenant_id, email_key) where email is not null;
create index room_visitors_by_contact on enablement.room_visitors (tenant_id, contact_id) where contact_id is not null;
call platform.isolate_by_tenant('enablement.room_visitors');

create table enablement.room_visits (
  tenant_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  link_id uuid not null,
  visitor_id uuid not null,
  started_at timestamptz not null,
  last_event_at timestamptz not null,
  -- Set once, when the visit reaches the seconds that make it count.
  counted_at timestamptz,
  reported_seconds integer not null default 0,
  active_seconds integer not null default 0,
  heartbeats integer not null default 0,
  ended_at timestamptz,
  is_internal boolean not null default false,
  is_bot boolean not null default false,
  device text collate "C" not null constraint room_visits_device_known check (device in ('desktop', 'mobile', 'tablet', 'other')),
  referrer_host text constraint room_visits_referrer_host_length check (length(referrer_host) <= 253),
  updated_at timestamptz not null default now(),
  constraint room_visits_pkey primary key (tenant_id, id),
  constraint room_visits_room_exists foreign key (tenant_id, room_id) references enablement.rooms on delete cascade,
  constraint room_visits_link_exists foreign key (tenant_id, link_id) references enablement.room_links on delete cascade,
  constraint room_visits_visitor_exists foreign key (tenant_id, visitor_id) references enablement.room_visitors on delete cascade
) with (fillfactor = 80);
create index room_visits_by_room on enablement.room_visits (tenant_id, room_id, started_at);
create index room_visits_by_link on enablement.room_visits (tenant_id, link_id);
create index room_visits_by_visitor on enablement.room_visits (tenant_id, visitor_id, started_at);
create index room_visits_by_change on enablement.room_visits (tenant_id, updated_at);
call platform.isolate_by_tenant('enablement.room_visits');

-- Codes that verify the email address of a visitor; only the newest one of an address is valid.
create table enablement.room_codes (
  tenant_id uuid not null,
  link_id uuid not null,
  email_key text not null constraint room_codes_email_key_length check (length(email_key) between 3 and 254),
  code_hash bytea not null constraint room_codes_hash_length check (octet_length(code_hash) = 32),
  expires_at timestamptz not null,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  constraint room_codes_pkey primary key (tenant_id, link_id, email_key),
  constraint room_codes_link_exists foreign key (tenant_id, link_id) references enablement.room_links on delete cascade
);
create index room_codes_expired on enablement.room_codes (tenant_id, expires_at);
create index room_codes_by_email on enablement.room_codes (tenant_id, email_key);
call platform.isolate_by_tenant('enablement.room_codes');

create table enablement.room_daily_stats (
  tenant_id uuid not null,
  room_id uuid not null,
  day date not null,
  external_visits integer not null,
  external_visitors integer not null,
  seconds integer not null,
  item_views integer not null,
  downloads integer not null,
  internal_visits integer not null,
  internal_seconds integer not null,
  bot_visits integer not null,
  constraint room_daily_stats_pkey primary key (tenant_id, room_id, day),
  constraint room_daily_stats_room_exists foreign key (tenant_id, room_id) references enablement.rooms on delete cascade
);
call platform.isolate_by_tenant('enablement.room_daily_stats');

-- Until when the changes of visits and views are counted in the statistics of rooms.
create table enablement.room_fold_positions (
  tenant_id uuid not null,
  folded_until timestamptz not null,
  constraint room_fold_positions_pkey primary key (tenant_id)
);
call platform.isolate_by_tenant('enablement.room_fold_positions');
