create table enablement.collections (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint collections_name_length check (length(name) between 1 and 120),
  name_key text collate "C" not null generated always as (lower(name)) stored,
  description text constraint collections_description_length check (length(description) <= 2000),
  owner_id uuid,
  -- Null is everyone, as for content items.
  audience_team_ids uuid[] constraint collections_audience_size check (cardinality(audience_team_ids) between 1 and 50),
  archived_at timestamptz,
  cover_item_id uuid,
  item_count integer not null default 0 constraint collections_item_count_range check (item_count between 0 and 500),
  search_text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint collections_pkey primary key (tenant_id, id),
  constraint collections_owner_exists foreign key (tenant_id, owner_id) references identity.users on delete set null (owner_id),
  constraint collections_cover_exists foreign key (tenant_id, cover_item_id) references enablement.content_items
    on delete set null (cover_item_id)
);
create unique index collections_name_unique on enablement.collections (tenant_id, name_key) where archived_at is null;
create index collections_by_name on enablement.collections (tenant_id, name_key, id);
create index collections_by_owner on enablement.collections (tenant_id, owner_id);
create index collections_by_cover on enablement.collections (tenant_id, cover_item_id);
create trigger count_version before update of name, description, owner_id, audience_team_ids, archived_at, cover_item_id, item_count
  on enablement.collections for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.collections');

create table enablement.collection_items (
  tenant_id uuid not null,
  collection_id uuid not null,
  content_item_id uuid not null,
  position integer not null constraint collection_items_position_range check (position >= 0),
  note text constraint collection_items_note_length check (length(note) <= 500),
  added_by uuid,
  created_at timestamptz not null default now(),
  constraint collection_items_pkey primary key (tenant_id, collection_id, content_item_id),
  constraint collection_items_collection_exists foreign key (tenant_id, collection_id) references enablement.collections
    on delete cascade,
  constraint collection_items_content_exists foreign key (tenant_id, content_item_id) references enablement.content_items
    on delete cascade,
  constraint collection_items_adder_exists foreign key (tenant_id, added_by) references identity.users on delete set null (added_by)
);
create index collection_items_by_position on enablement.collection_items (tenant_id, collection_id, position);
create index collection_items_by_content on enablement.collection_items (tenant_id, content_item_id);
create index collection_items_by_adder on enablement.collection_items (tenant_id, added_by);
call platform.isolate_by_tenant('enablement.collection_items');

-- Lets schedules find the tenants with items that expire or must be reviewed.
create policy maintenance_select on enablement.content_items for select to app_system using (platform.current_tenant_id() is null);
