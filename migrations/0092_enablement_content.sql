create table enablement.content_items (
  tenant_id uuid not null,
  id uuid not null,
  title text not null constraint content_items_title_length check (length(title) between 1 and 200),
  title_key text collate "C" not null generated always as (lower(title)) stored,
  description text constraint content_items_description_length check (length(description) <= 4000),
  type text collate "C" not null constraint content_items_type_known check (type in
    ('document', 'slide_deck', 'video', 'audio', 'image', 'link', 'battlecard', 'template', 'case_study', 'one_pager', 'playbook',
    'email_template', 'other')),
  category text collate "C" constraint content_items_category_format check (category ~ '^[a-z0-9][a-z0-9_-]{0,59}$'),
  tags text[] not null default '{}' constraint content_items_tags_size check (cardinality(tags) <= 20),
  stages text[] not null default '{}' constraint content_items_stages_size check (cardinality(stages) <= 20),
  industries text[] not null default '{}' constraint content_items_industries_size check (cardinality(industries) <= 20),
  products text[] not null default '{}' constraint content_items_products_size check (cardinality(products) <= 20),
  buyer_roles text[] not null default '{}' constraint content_items_buyer_roles_size check (cardinality(buyer_roles) <= 20),
  language text collate "C" not null default 'en' constraint content_items_language_length check (length(language) between 2 and 35),
  status text collate "C" not null default 'draft'
    constraint content_items_status_known check (status in ('draft', 'published', 'archived')),
  visibility text collate "C" not null default 'internal'
    constraint content_items_visibility_known check (visibility in ('internal', 'public')),
  -- Null is everyone; other than managers and the owner, only members of these teams see the item.
  audience_team_ids uuid[] constraint content_items_audience_size check (cardinality(audience_team_ids) between 1 and 50),
  url text constraint content_items_url_length check (length(url) <= 2048),
  body text constraint content_items_body_length check (length(body) <= 100000),
  current_version_id uuid,
  owner_id uuid,
  created_by uuid,
  is_required_reading boolean not null default false,
  review_interval_days integer not null default 180
    constraint content_items_review_interval_range check (review_interval_days between 7 and 1095),
  last_reviewed_at timestamptz,
  reviewed_by uuid,
  -- An item is stale from this instant on.
  next_review_at timestamptz,
  needs_update_at timestamptz,
  review_notified_at timestamptz,
  expires_at timestamptz,
  superseded_by_id uuid,
  published_at timestamptz,
  archived_at timestamptz,
  archive_reason text collate "C"
    constraint content_items_archive_reason_known check (archive_reason in ('manual', 'expired', 'superseded')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  constraint content_items_pkey primary key (tenant_id, id),
  constraint content_items_internal_types check (visibility = 'internal' or type not in ('battlecard', 'playbook')),
  constraint content_items_owner_exists foreign key (tenant_id, owner_id) references identity.users on delete set null (owner_id),
  constraint content_items_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by),
  constraint content_items_reviewer_exists foreign key (tenant_id, reviewed_by) references identity.users
    on delete set null (reviewed_by),
  constraint content_items_replacement_exists foreign key (tenant_id, superseded_by_id) references enablement.content_items
    on delete set null (superseded_by_id) deferrable initially immediate
);
create index content_items_by_change on enablement.content_items (tenant_id, status, updated_at desc, id desc) where deleted_at is null;
create index content_items_by_title on enablement.content_items (tenant_id, status, title_key, id) where deleted_at is null;
create index content_items_by_type on enablement.content_items (tenant_id, type, status, updated_at desc, id desc) where deleted_at is null;
create index content_items_by_category on enablement.content_items (tenant_id, category, status, updated_at desc, id desc)
  where deleted_at is null;
create index content_items_by_owner on enablement.content_items (tenant_id, owner_id, updated_at desc, id desc);
create index content_items_by_review on enablement.content_items (tenant_id, status, next_review_at, id) where deleted_at is null;
create index content_items_to_expire on enablement.content_items (tenant_id, expires_at)
  where status = 'published' and deleted_at is null and expires_at is not null;
create index content_items_by_creator on enablement.content_items (tenant_id, created_by);
create index content_items_by_reviewer on enablement.content_items (tenant_id, reviewed_by);
create index content_items_by_replacement on enablement.content_items (tenant_id, superseded_by_id);
create index content_items_by_version on enablement.content_items (tenant_id, current_version_id);
create index content_items_deleted on enablement.content_items (tenant_id, deleted_at) where deleted_at is not null;
create trigger count_version before update of title, description, type, category, tags, stages, industries, products, buyer_roles,
  language, status, visibility, audience_team_ids, url, body, current_version_id, owner_id, is_required_reading,
  review_interval_days, last_reviewed_at, needs_update_at, expires_at, superseded_by_id, deleted_at
  on enablement.content_items for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.content_items');

create table enablement.content_versions (
  tenant_id uuid not null,
  id uuid not null,
  item_id uuid not null,
  version_no integer not null constraint content_versions_number_positive check (version_no > 0),
  -- Null after the file was purged.
  file_id uuid,
  note text constraint content_versions_note_length check (length(note) <= 500),
  uploaded_by uuid,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint content_versions_pkey primary key (tenant_id, id),
  constraint content_versions_number_unique unique (tenant_id, item_id, version_no),
  constraint content_versions_item_exists foreign key (tenant_id, item_id) references enablement.content_items on delete cascade
    deferrable initially immediate,
  constraint content_versions_file_exists foreign key (tenant_id, file_id) references platform.files on delete set null (file_id),
  constraint content_versions_uploader_exists foreign key (tenant_id, uploaded_by) references identity.users
    on delete set null (uploaded_by)
);
create index content_versions_by_file on enablement.content_versions (tenant_id, file_id);
create index content_versions_by_uploader on enablement.content_versions (tenant_id, uploaded_by);
call platform.isolate_by_tenant('enablement.content_versions');

alter table enablement.content_items add constraint content_items_current_version_exists
  foreign key (tenant_id, current_version_id) references enablement.content_versions
  on delete set null (current_version_id) deferrable initially immediate;

-- Text without case, accents and punctuation. Separate from the items, so that their updates do not parse it again.
create table enablement.content_search_texts (
  tenant_id uuid not null,
  item_id uuid not null,
  title_text text not null,
  tag_text text not null,
  description_text text not null,
  body_text text not null,
  search_vector tsvector not null generated always as (
    setweight(to_tsvector('simple'::regconfig, title_text), 'A') || setweight(to_tsvector('simple'::regconfig, tag_text), 'B') ||
    setweight(to_tsvector('simple'::regconfig, description_text), 'C') || setweight(to_tsvector('simple'::regconfig, body_text), 'D')
  ) stored,
  constraint content_search_texts_pkey primary key (tenant_id, item_id),
  constraint content_search_texts_item_exists foreign key (tenant_id, item_id) references enablement.content_items on delete cascade
);
create index content_search_texts_by_word on enablement.content_search_texts using gin (tenant_id, search_vector);
call platform.isolate_by_tenant('enablement.content_search_texts');

-- Text search operators are not leakproof: under row-level security they would read every text of the tenant. The function runs as
-- app_search, names the tenant itself and returns only ids and ranks. The last word of the search matches as a prefix.
create policy search on enablement.content_search_texts for select to app_search using (true);
grant select on enablement.content_search_texts to app_search;
create function enablement.search_content(search text, cap integer) returns table (item_id uuid, rank real)
  language plpgsql stable security definer rows 100
  set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan
as $$
declare
  words text := websearch_to_tsquery('simple'::regconfig, search)::text;
  query tsquery := (case when right(words, 1) = '''' then words || ':*' else words end)::tsquery;
begin
  return query
    select found.item_id, ts_rank(found.search_vector, query) from enablement.content_search_texts found
    where found.tenant_id = platform.current_tenant_id() and found.search_vector @@ query
    limit cap;
end $$;
grant create on schema enablement to app_search;
alter function enablement.search_content owner to app_search;
revoke create on schema enablement from app_search;
grant execute on function enablement.search_content to app;

-- Views by users, room visitors and the public. The columns about rooms and deals have no foreign keys, because views outlive them.
create table enablement.content_views (
  tenant_id uuid not null,
  id uuid not null,
  item_id uuid not null,
  version_no integer,
  source text collate "C" not null constraint content_views_source_known check (source in ('library', 'room', 'public')),
  user_id uuid,
  visitor_id uuid,
  visit_id uuid,
  room_id uuid,
  room_item_id uuid,
  account_id uuid,
  opportunity_id uuid,
  started_at timestamptz not null,
  last_event_at timestamptz not null,
  reported_seconds integer not null default 0 constraint content_views_reported_range check (reported_seconds between 0 and 86400),
  active_seconds integer not null default 0 constraint content_views_active_range check (active_seconds between 0 and 86400),
  heartbeats integer not null default 0,
  progress numeric(5,4) not null default 0 constraint content_views_progress_range check (progress between 0 and 1),
  max_page integer constraint content_views_page_range check (max_page between 1 and 10000),
  completed boolean not null default false,
  downloaded_at timestamptz,
  is_internal boolean not null,
  is_bot boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint content_views_pkey primary key (tenant_id, id),
  constraint content_views_one_viewer check (num_nonnulls(user_id, visitor_id) + (source = 'public')::integer = 1),
  constraint content_views_item_exists foreign key (tenant_id, item_id) references enablement.content_items on delete cascade,
  constraint content_views_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
create index content_views_by_item on enablement.content_views (tenant_id, item_id, started_at);
create index content_views_by_user on enablement.content_views (tenant_id, user_id, item_id, last_event_at desc);
create index content_views_by_visitor on enablement.content_views (tenant_id, visitor_id, item_id, last_event_at desc)
  where visitor_id is not null;
create index content_views_by_opportunity on enablement.content_views (tenant_id, opportunity_id, item_id)
  where opportunity_id is not null;
create index content_views_by_visit on enablement.content_views (tenant_id, visit_id) where visit_id is not null;
create index content_views_by_room on enablement.content_views (tenant_id, room_id, started_at) where room_id is not null;
create index content_views_by_change on enablement.content_views (tenant_id, updated_at);
create index content_views_by_start on enablement.content_views (tenant_id, started_at);
create trigger touch before update on enablement.content_views for each row execute function platform.touch();
call platform.isolate_by_tenant('enablement.content_views');
-- Lets the fold find the tenants that have new views.
create policy maintenance_select on enablement.content_views for select to app_system using (platform.current_tenant_id() is null);

create table enablement.content_fold_states (
  tenant_id uuid not null,
  folded_to timestamptz not null,
  constraint content_fold_states_pkey primary key (tenant_id)
);
call platform.isolate_by_tenant('enablement.content_fold_states');
create policy maintenance_select on enablement.content_fold_states for select to app_system
  using (platform.current_tenant_id() is null);

-- `viewer_key` is user:<id> or visitor:<id>.
create table enablement.content_viewers (
  tenant_id uuid not null,
  item_id uuid not null,
  viewer_key text collate "C" not null,
  is_internal boolean not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  views integer not null,
  seconds integer not null,
  constraint content_viewers_pkey primary key (tenant_id, item_id, viewer_key),
  constraint content_viewers_item_exists foreign key (tenant_id, item_id) references enablement.content_items on delete cascade
);
call platform.isolate_by_tenant('enablement.content_viewers');

create table enablement.content_daily_stats (
  tenant_id uuid not null,
  item_id uuid not null,
  day date not null,
  audience text collate "C" not null constraint content_daily_stats_audience_known check (audience in ('internal', 'external')),
  views integer not null default 0,
  measured integer not null default 0,
  seconds integer not null default 0,
  completions integer not null default 0,
  downloads integer not null default 0,
  public_downloads integer not null default 0,
  shares integer not null default 0,
  constraint content_daily_stats_pkey primary key (tenant_id, item_id, day, audience),
  constraint content_daily_stats_item_exists foreign key (tenant_id, item_id) references enablement.content_items on delete cascade
);
call platform.isolate_by_tenant('enablement.content_daily_stats');

create table enablement.content_item_stats (
  tenant_id uuid not null,
  item_id uuid not null,
  views_28d integer not null default 0,
  views_prev_28d integer not null default 0,
  views_total integer not null default 0,
  unique_viewers integer not null default 0,
  unique_external integer not null default 0,
  heat double precision not null default 0,
  last_viewed_at timestamptz,
  constraint content_item_stats_pkey primary key (tenant_id, item_id),
  constraint content_item_stats_item_exists foreign key (tenant_id, item_id) references enablement.content_items on delete cascade
);
create index content_item_stats_by_heat on enablement.content_item_stats (tenant_id, heat desc, item_id desc);
create index content_item_stats_by_views on enablement.content_item_stats (tenant_id, views_total desc, item_id desc);
call platform.isolate_by_tenant('enablement.content_item_stats');

create table enablement.content_search_misses (
  tenant_id uuid not null,
  query_norm text not null constraint content_search_misses_query_length check (length(query_norm) between 1 and 400),
  count integer not null default 1,
  last_at timestamptz not null,
  last_user_id uuid,
  constraint content_search_misses_pkey primary key (tenant_id, query_norm),
  constraint content_search_misses_user_exists foreign key (tenant_id, last_user_id) references identity.users
    on delete set null (last_user_id)
);
create index content_search_misses_by_user on enablement.content_search_misses (tenant_id, last_user_id);
call platform.isolate_by_tenant('enablement.content_search_misses');
