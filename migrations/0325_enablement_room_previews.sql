-- The URL of a preview of a room works once. The visit that it starts has the id of the preview.
create table enablement.room_previews (
  tenant_id uuid not null,
  id uuid not null,
  link_id uuid not null,
  -- A changed link ends the preview.
  link_version integer not null,
  -- The user or API key whose permissions are checked at every request.
  requested_by jsonb not null,
  opened_at timestamptz,
  created_at timestamptz not null default now(),
  constraint room_previews_pkey primary key (tenant_id, id),
  constraint room_previews_link_exists foreign key (tenant_id, link_id) references enablement.room_links on delete cascade
);
create index room_previews_by_link on enablement.room_previews (tenant_id, link_id);
create index room_previews_by_creation on enablement.room_previews (tenant_id, created_at);
call platform.isolate_by_tenant('enablement.room_previews');
