create table identity.teams (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint teams_name_length check (length(name) between 1 and 80),
  name_key text not null generated always as (lower(name)) stored,
  description text constraint teams_description_length check (length(description) <= 500),
  parent_team_id uuid,
  color text constraint teams_color_well_formed check (color ~ '^#[0-9a-f]{6}$'),
  -- Name and description without case and accents; written by whoever changes them.
  search_text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint teams_name_unique unique (tenant_id, name_key),
  constraint teams_parent_exists foreign key (tenant_id, parent_team_id) references identity.teams
);
create index teams_by_name on identity.teams (tenant_id, name_key, id);
create index teams_by_parent on identity.teams (tenant_id, parent_team_id, name_key, id);
create trigger count_version before update on identity.teams for each row execute function platform.count_version();
call platform.isolate_by_tenant('identity.teams');

create table identity.team_members (
  tenant_id uuid not null,
  id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  role text not null default 'member' constraint team_members_role_known check (role in ('lead', 'member')),
  added_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint team_members_once unique (tenant_id, team_id, user_id),
  constraint team_members_team_exists foreign key (tenant_id, team_id) references identity.teams on delete cascade,
  constraint team_members_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade,
  constraint team_members_adder_exists foreign key (tenant_id, added_by) references identity.users on delete set null (added_by)
);
create index team_members_leads on identity.team_members (tenant_id, team_id, user_id) where role = 'lead';
create index team_members_by_user on identity.team_members (tenant_id, user_id, created_at);
create index team_members_by_adder on identity.team_members (tenant_id, added_by);
call platform.isolate_by_tenant('identity.team_members');
