-- Exercises: a situation, a buyer and the criteria by which a conversation is scored.
create table enablement.coaching_scenarios (
  tenant_id uuid not null,
  id uuid not null,
  title text not null constraint coaching_scenarios_title_length check (length(title) between 1 and 150),
  description text constraint coaching_scenarios_description_length check (length(description) <= 4000),
  type text collate "C" not null constraint coaching_scenarios_type_known check (type in
    ('discovery', 'demo', 'objection_handling', 'negotiation', 'closing', 'cold_call', 'renewal', 'qbr', 'custom')),
  difficulty text collate "C" not null default 'medium'
    constraint coaching_scenarios_difficulty_known check (difficulty in ('easy', 'medium', 'hard', 'expert')),
  status text collate "C" not null default 'draft'
    constraint coaching_scenarios_status_known check (status in ('draft', 'published', 'archived')),
  persona_id uuid,
  -- What the seller is told; buyer_context is only for the buyer.
  brief text constraint coaching_scenarios_brief_length check (length(brief) <= 5000),
  buyer_context text constraint coaching_scenarios_buyer_context_length check (length(buyer_context) <= 4000),
  max_turns integer not null default 24 constraint coaching_scenarios_max_turns_range check (max_turns between 4 and 60),
  time_limit_seconds integer constraint coaching_scenarios_time_limit_range check (time_limit_seconds between 60 and 7200),
  passing_score integer not null default 70 constraint coaching_scenarios_passing_score_range check (passing_score between 0 and 100),
  rubric jsonb not null constraint coaching_scenarios_rubric_size check (jsonb_array_length(rubric) between 1 and 12),
  rubric_version integer not null default 1,
  is_system boolean not null default false,
  owner_id uuid,
  search_text text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  constraint coaching_scenarios_pkey primary key (tenant_id, id),
  constraint coaching_scenarios_persona_exists foreign key (tenant_id, persona_id)
    references enablement.coaching_personas on delete set null (persona_id),
  constraint coaching_scenarios_owner_exists foreign key (tenant_id, owner_id)
    references identity.users on delete set null (owner_id),
  constraint coaching_scenarios_creator_exists foreign key (tenant_id, created_by)
    references identity.users on delete set null (created_by)
);
create index coaching_scenarios_by_status on enablement.coaching_scenarios (tenant_id, status, created_at desc, id desc)
  where deleted_at is null;
create index coaching_scenarios_by_persona on enablement.coaching_scenarios (tenant_id, persona_id) where persona_id is not null;
create index coaching_scenarios_by_owner on enablement.coaching_scenarios (tenant_id, owner_id);
create index coaching_scenarios_by_creator on enablement.coaching_scenarios (tenant_id, created_by);
create index coaching_scenarios_deleted on enablement.coaching_scenarios (tenant_id, deleted_at) where deleted_at is not null;
create trigger count_version before update on enablement.coaching_scenarios for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.coaching_scenarios');
