create table enablement.readiness_scores (
  tenant_id uuid not null,
  user_id uuid not null,
  -- 605 is 60.5; null without any component.
  score_tenths smallint constraint readiness_scores_score_range check (score_tenths between 0 and 1000),
  level text collate "C" not null
    constraint readiness_scores_level_known check (level in ('ready', 'developing', 'at_risk', 'not_ready', 'unknown')),
  coverage numeric(3, 2) not null,
  components jsonb not null,
  gaps jsonb not null,
  computed_at timestamptz not null,
  constraint readiness_scores_pkey primary key (tenant_id, user_id),
  constraint readiness_scores_unknown check ((score_tenths is null) = (level = 'unknown')),
  constraint readiness_scores_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
) with (fillfactor = 70);
create index readiness_scores_by_score on enablement.readiness_scores (tenant_id, score_tenths, user_id);
call platform.isolate_by_tenant('enablement.readiness_scores');

-- The score of each day, for the history.
create table enablement.readiness_snapshots (
  tenant_id uuid not null,
  user_id uuid not null,
  day date not null,
  score_tenths smallint,
  components jsonb not null,
  constraint readiness_snapshots_pkey primary key (tenant_id, user_id, day),
  constraint readiness_snapshots_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
create index readiness_snapshots_by_day on enablement.readiness_snapshots (tenant_id, day);
call platform.isolate_by_tenant('enablement.readiness_snapshots');

-- Users whose score has to be calculated again, one row per change.
create table enablement.readiness_marks (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  constraint readiness_marks_pkey primary key (tenant_id, id),
  constraint readiness_marks_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
create index readiness_marks_by_user on enablement.readiness_marks (tenant_id, user_id);
call platform.isolate_by_tenant('enablement.readiness_marks');
grant select (tenant_id) on enablement.readiness_marks to app_retention;
create policy maintenance_select on enablement.readiness_marks for select to app_retention
  using (platform.current_tenant_id() is null);
grant select (tenant_id) on enablement.readiness_scores to app_retention;
create policy maintenance_select on enablement.readiness_scores for select to app_retention
  using (platform.current_tenant_id() is null);
