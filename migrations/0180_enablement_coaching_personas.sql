-- Buyers that sellers practise with. Facts and objections are told only during a conversation.
create table enablement.coaching_personas (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint coaching_personas_name_length check (length(name) between 1 and 80),
  name_key text not null generated always as (lower(name)) stored,
  job_title text not null constraint coaching_personas_job_title_length check (length(job_title) between 1 and 120),
  company_profile text constraint coaching_personas_company_profile_length check (length(company_profile) <= 1000),
  industry text constraint coaching_personas_industry_length check (length(industry) <= 60),
  style text collate "C" not null
    constraint coaching_personas_style_known check (style in ('analytical', 'driver', 'amiable', 'expressive')),
  language text collate "C" not null default 'en'
    constraint coaching_personas_language_known check (language in ('en', 'de', 'fr', 'es', 'pt')),
  avatar_item_id uuid,
  traits jsonb not null default '{}',
  background text constraint coaching_personas_background_length check (length(background) <= 4000),
  goals text[] not null default '{}' constraint coaching_personas_goals_size check (cardinality(goals) <= 10),
  pains text[] not null default '{}' constraint coaching_personas_pains_size check (cardinality(pains) <= 10),
  opening_line text constraint coaching_personas_opening_line_length check (length(opening_line) <= 300),
  objections jsonb not null default '[]' constraint coaching_personas_objections_size check (jsonb_array_length(objections) <= 15),
  facts jsonb not null default '[]' constraint coaching_personas_facts_size check (jsonb_array_length(facts) <= 15),
  voice jsonb not null default '{}',
  is_active boolean not null default true,
  -- Created with the workspace.
  is_system boolean not null default false,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  constraint coaching_personas_pkey primary key (tenant_id, id),
  constraint coaching_personas_avatar_exists foreign key (tenant_id, avatar_item_id)
    references enablement.content_items on delete set null (avatar_item_id),
  constraint coaching_personas_creator_exists foreign key (tenant_id, created_by)
    references identity.users on delete set null (created_by)
);
create unique index coaching_personas_name_unique on enablement.coaching_personas (tenant_id, name_key) where deleted_at is null;
create index coaching_personas_by_name on enablement.coaching_personas (tenant_id, name_key, id) where deleted_at is null;
create index coaching_personas_by_avatar on enablement.coaching_personas (tenant_id, avatar_item_id) where avatar_item_id is not null;
create index coaching_personas_by_creator on enablement.coaching_personas (tenant_id, created_by);
create trigger count_version before update on enablement.coaching_personas for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.coaching_personas');
-- Lists workspaces without personas, which get those of a new workspace.
grant select (tenant_id) on enablement.coaching_personas to app_retention;
create policy maintenance_select on enablement.coaching_personas for select to app_retention
  using (platform.current_tenant_id() is null);
