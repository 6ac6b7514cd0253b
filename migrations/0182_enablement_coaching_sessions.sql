-- Sessions of a seller: with a person as the coach (human), or with a persona (roleplay).
create table enablement.coaching_sessions (
  tenant_id uuid not null,
  id uuid not null,
  kind text collate "C" not null constraint coaching_sessions_kind_known check (kind in ('human', 'roleplay')),
  scenario_id uuid,
  persona_id uuid,
  rep_id uuid not null,
  coach_id uuid,
  status text collate "C" not null,
  -- Only the seller sees a private session, and it counts nowhere.
  is_private boolean not null default false,
  scheduled_at timestamptz,
  duration_minutes integer constraint coaching_sessions_duration_range check (duration_minutes between 15 and 240),
  agenda text constraint coaching_sessions_agenda_length check (length(agenda) <= 4000),
  started_at timestamptz,
  finished_at timestamptz,
  last_activity_at timestamptz not null default now(),
  -- The rubric and the passing score as they were at the start.
  scenario_snapshot jsonb not null,
  score integer constraint coaching_sessions_score_range check (score between 0 and 100),
  passed boolean,
  scorecard jsonb,
  coach_scores jsonb,
  feedback text constraint coaching_sessions_feedback_length check (length(feedback) <= 8000),
  rep_reflection text constraint coaching_sessions_reflection_length check (length(rep_reflection) <= 4000),
  action_items jsonb not null default '[]'
    constraint coaching_sessions_action_items_size check (jsonb_array_length(action_items) <= 20),
  acknowledged_at timestamptz,
  -- Columns of roleplays.
  attempt_no integer,
  mode text collate "C" constraint coaching_sessions_mode_known check (mode in ('text', 'voice')),
  engine text collate "C" constraint coaching_sessions_engine_known check (engine in ('model', 'rules')),
  seed bytea,
  persona_snapshot jsonb,
  state jsonb,
  turns integer not null default 0,
  transcript_source text collate "C"
    constraint coaching_sessions_transcript_source_known check (transcript_source in ('server', 'client')),
  -- Seconds of a voice call that count against the limits of the day: its maximum until it ends.
  voice_seconds integer constraint coaching_sessions_voice_seconds_range check (voice_seconds between 0 and 900),
  insufficient boolean not null default false,
  auto_finished boolean not null default false,
  -- A turn or an evaluation is running; a lost claim expires.
  claim_id uuid,
  claimed_until timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint coaching_sessions_pkey primary key (tenant_id, id),
  constraint coaching_sessions_status_known check (case kind
    when 'human' then status in ('scheduled', 'in_progress', 'completed', 'cancelled', 'no_show')
    else status in ('active', 'evaluating', 'finished', 'abandoned') end),
  constraint coaching_sessions_human_not_private check (kind = 'roleplay' or not is_private),
  constraint coaching_sessions_roleplay_complete
    check (kind = 'human' or num_nulls(attempt_no, mode, seed, persona_snapshot, state, transcript_source) = 0),
  constraint coaching_sessions_voice_complete check (mode is distinct from 'voice' or voice_seconds is not null),
  constraint coaching_sessions_scenario_exists foreign key (tenant_id, scenario_id)
    references enablement.coaching_scenarios on delete set null (scenario_id),
  constraint coaching_sessions_persona_exists foreign key (tenant_id, persona_id)
    references enablement.coaching_personas on delete set null (persona_id),
  constraint coaching_sessions_rep_exists foreign key (tenant_id, rep_id) references identity.users on delete cascade,
  constraint coaching_sessions_coach_exists foreign key (tenant_id, coach_id)
    references identity.users on delete set null (coach_id),
  constraint coaching_sessions_creator_exists foreign key (tenant_id, created_by)
    references identity.users on delete set null (created_by)
) with (fillfactor = 80);
create index coaching_sessions_by_creation on enablement.coaching_sessions (tenant_id, created_at desc, id desc);
create index coaching_sessions_by_rep on enablement.coaching_sessions (tenant_id, rep_id, created_at desc, id desc);
create index coaching_sessions_by_coach on enablement.coaching_sessions (tenant_id, coach_id, created_at desc, id desc)
  where coach_id is not null;
create index coaching_sessions_by_status on enablement.coaching_sessions (tenant_id, status, created_at desc, id desc);
create index coaching_sessions_by_kind on enablement.coaching_sessions (tenant_id, kind, created_at desc, id desc);
create index coaching_sessions_by_scenario on enablement.coaching_sessions (tenant_id, scenario_id, created_at desc, id desc)
  where scenario_id is not null;
create index coaching_sessions_by_persona on enablement.coaching_sessions (tenant_id, persona_id) where persona_id is not null;
create index coaching_sessions_voice on enablement.coaching_sessions (tenant_id, started_at) where mode = 'voice';
create index coaching_sessions_by_creator on enablement.coaching_sessions (tenant_id, created_by);
create index coaching_sessions_active on enablement.coaching_sessions (last_activity_at, tenant_id) where status = 'active';
create index coaching_sessions_evaluating on enablement.coaching_sessions (last_activity_at, tenant_id)
  where status = 'evaluating';
-- Claims and messages are no new version of the session.
create trigger count_version before update of status, scheduled_at, duration_minutes, agenda, score, coach_scores, feedback,
  rep_reflection, action_items, acknowledged_at
  on enablement.coaching_sessions for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.coaching_sessions');
grant select (tenant_id, status, last_activity_at) on enablement.coaching_sessions to app_retention;
create policy maintenance_select on enablement.coaching_sessions for select to app_retention
  using (platform.current_tenant_id() is null);
