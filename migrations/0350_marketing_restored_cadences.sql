alter table marketing.cadences drop constraint cadences_paused_reason_known;
alter table marketing.cadences add constraint cadences_paused_reason_known check (paused_reason in ('bounces', 'restored'));

-- Steps whose email was sent. Cleaning keeps them, so that a restored enrollment does not send them again.
create table marketing.cadence_sent_steps (
  tenant_id uuid not null,
  enrollment_id uuid not null,
  step_id uuid not null,
  run_id uuid not null,
  sent_at timestamptz not null,
  constraint cadence_sent_steps_pkey primary key (tenant_id, enrollment_id, step_id)
);
create index cadence_sent_steps_by_time on marketing.cadence_sent_steps (tenant_id, sent_at);
call platform.isolate_by_tenant('marketing.cadence_sent_steps');

-- Enrollments that ended because of their person, such as after a reply. Cleaning keeps them, too.
create table marketing.cadence_person_exits (
  tenant_id uuid not null,
  enrollment_id uuid not null,
  reason text collate "C" not null constraint cadence_person_exits_reason_known check (reason in ('replied', 'meeting_booked', 'opted_out', 'bounced')),
  ended_at timestamptz not null,
  constraint cadence_person_exits_pkey primary key (tenant_id, enrollment_id)
);
create index cadence_person_exits_by_time on marketing.cadence_person_exits (tenant_id, ended_at);
call platform.isolate_by_tenant('marketing.cadence_person_exits');
