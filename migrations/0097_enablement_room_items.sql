create table enablement.room_items (
  tenant_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  section_id uuid,
  kind text collate "C" not null constraint room_items_kind_known check (kind in ('content', 'link', 'text')),
  content_item_id uuid,
  -- Null shows the current version.
  pinned_version_no integer,
  title text constraint room_items_title_length check (length(title) between 1 and 200),
  description text constraint room_items_description_length check (length(description) <= 1000),
  url text constraint room_items_url_length check (length(url) <= 2048),
  body text constraint room_items_body_length check (length(body) <= 20000),
  position integer not null,
  is_visible boolean not null default true,
  downloads_allowed boolean,
  added_by uuid,
  views integer not null default 0,
  last_viewed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint room_items_pkey primary key (tenant_id, id),
  constraint room_items_content_once unique (tenant_id, room_id, content_item_id),
  constraint room_items_kind_complete check (
    (kind = 'content') = (content_item_id is not null) and (kind = 'link') = (url is not null) and (kind = 'text') = (body is not null)),
  constraint room_items_room_exists foreign key (tenant_id, room_id) references enablement.rooms on delete cascade,
  constraint room_items_section_exists foreign key (tenant_id, section_id)
    references enablement.room_sections on delete set null (section_id),
  constraint room_items_content_exists foreign key (tenant_id, content_item_id)
    references enablement.content_items on delete cascade,
  constraint room_items_adder_exists foreign key (tenant_id, added_by) references identity.users on delete set null (added_by)
) with (fillfactor = 90);
create index room_items_by_room on enablement.room_items (tenant_id, room_id, position);
create index room_items_by_section on enablement.room_items (tenant_id, section_id) where section_id is not null;
create index room_items_by_content on enablement.room_items (tenant_id, content_item_id) where content_item_id is not null;
create index room_items_by_adder on enablement.room_items (tenant_id, added_by);
-- Views are no new version of the item.
create trigger count_version before update of section_id, pinned_version_no, title, description, url, body, position, is_visible,
  downloads_allowed on enablement.room_items for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.room_items');

-- Lets the fold find the tenants that have new visits.
create policy maintenance_select on enablement.room_visits for select to app_system using (platform.current_tenant_id() is null);
create index room_visits_recent on enablement.room_visits (updated_at, tenant_id);
create policy maintenance_select on enablement.rooms for select to app_system using (platform.current_tenant_id() is null);
