-- Outreach in steps. People are enrolled in a cadence and move from step to step; a run is one step of one enrollment.
create table marketing.cadences (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint cadences_name_length check (length(name) between 1 and 150),
  name_key text not null generated always as (lower(name)) stored,
  description text constraint cadences_description_length check (length(description) <= 5000),
  status text collate "C" not null default 'draft'
    constraint cadences_status_known check (status in ('draft', 'active', 'paused', 'archived')),
  -- Set while the cadence is paused by the system.
  paused_reason text collate "C" constraint cadences_paused_reason_known check (paused_reason in ('bounces')),
  owner_id uuid,
  campaign_id uuid,
  -- Weekdays, start and end of the times at which steps run.
  run_window jsonb not null,
  timezone_mode text collate "C" not null default 'person'
    constraint cadences_timezone_mode_known check (timezone_mode in ('person', 'fixed')),
  timezone text constraint cadences_timezone_length check (length(timezone) <= 64),
  exit_on jsonb not null,
  reenroll_after_days integer constraint cadences_reenroll_range check (reenroll_after_days between 1 and 3650),
  track_clicks boolean not null default true,
  track_opens boolean not null default false,
  search_text text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint cadences_pkey primary key (tenant_id, id),
  constraint cadences_owner_exists foreign key (tenant_id, owner_id) references identity.users on delete set null (owner_id),
  constraint cadences_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by),
  constraint cadences_campaign_exists foreign key (tenant_id, campaign_id) references marketing.campaigns
    on delete set null (campaign_id)
);
create unique index cadences_name_unique on marketing.cadences (tenant_id, name_key) where status <> 'archived';
create index cadences_by_status on marketing.cadences (tenant_id, status, id);
create index cadences_by_owner on marketing.cadences (tenant_id, owner_id, id);
create index cadences_by_creator on marketing.cadences (tenant_id, created_by);
create index cadences_by_campaign on marketing.cadences (tenant_id, campaign_id) where campaign_id is not null;
create trigger count_version before update of name, description, status, owner_id, campaign_id, run_window, timezone_mode, timezone,
  exit_on, reenroll_after_days, track_clicks, track_opens
  on marketing.cadences for each row execute function platform.count_version();
call platform.isolate_by_tenant('marketing.cadences');
grant select (tenant_id) on marketing.cadences to app_retention;
create policy maintenance_select on marketing.cadences for select to app_retention using (platform.current_tenant_id() is null);

-- A removed step stays for the history of its runs.
create table marketing.cadence_steps (
  tenant_id uuid not null,
  id uuid not null,
  cadence_id uuid not null,
  position smallint not null constraint cadence_steps_position_range check (position between 1 and 30),
  type text collate "C" not null
    constraint cadence_steps_type_known check (type in ('email_auto', 'email_manual', 'call', 'task')),
  delay_days smallint not null constraint cadence_steps_delay_days_range check (delay_days between 0 and 90),
  delay_hours smallint not null constraint cadence_steps_delay_hours_range check (delay_hours between 0 and 23),
  business_days boolean not null,
  subject_template text constraint cadence_steps_subject_length check (length(subject_template) <= 200),
  body_template text constraint cadence_steps_body_length check (length(body_template) <= 20000),
  reply_in_thread boolean not null,
  instructions text constraint cadence_steps_instructions_length check (length(instructions) <= 2000),
  auto_skip_after_days smallint constraint cadence_steps_auto_skip_range check (auto_skip_after_days between 1 and 60),
  deleted_at timestamptz,
  constraint cadence_steps_pkey primary key (tenant_id, id),
  constraint cadence_steps_email_with_template check (type <> 'email_auto' or (subject_template is not null and body_template is not null)),
  constraint cadence_steps_cadence_exists foreign key (tenant_id, cadence_id) references marketing.cadences on delete cascade
);
create index cadence_steps_by_cadence on marketing.cadence_steps (tenant_id, cadence_id, position, id);
call platform.isolate_by_tenant('marketing.cadence_steps');

create table marketing.cadence_enrollments (
  tenant_id uuid not null,
  id uuid not null,
  cadence_id uuid not null,
  lead_id uuid,
  contact_id uuid,
  -- The email address in lower case. Null without an email address and after an erasure.
  person_email_key text collate "C",
  sender_id uuid,
  status text collate "C" not null default 'active'
    constraint cadence_enrollments_status_known check (status in ('active', 'paused', 'completed', 'exited')),
  exit_reason text collate "C" constraint cadence_enrollments_exit_reason_known check (exit_reason in ('replied',
    'meeting_booked', 'converted', 'opted_out', 'bounced', 'disqualified', 'removed', 'deleted', 'erased', 'archived', 'merged')),
  paused_reason text collate "C" constraint cadence_enrollments_paused_reason_known check (paused_reason in ('manual',
    'auto_reply', 'missing_variable', 'send_failed', 'uncertain', 'sender_deactivated')),
  paused_until timestamptz,
  current_step_id uuid,
  -- Null while the enrollment waits for a task of the sender, is paused or has ended.
  next_run_at timestamptz,
  enrolled_by uuid,
  enrolled_via text collate "C" not null
    constraint cadence_enrollments_via_known check (enrolled_via in ('manual', 'bulk', 'segment', 'sample')),
  enrolled_at timestamptz not null default now(),
  -- Execution of the previous step, from which the delay of the current one counts.
  last_step_at timestamptz,
  ended_at timestamptz,
  first_delivered_at timestamptz,
  replied_at timestamptz,
  -- Leads to which the enrollment belonged before merges, for their undo.
  merge_origins jsonb not null default '[]',
  constraint cadence_enrollments_pkey primary key (tenant_id, id),
  constraint cadence_enrollments_one_person check (num_nonnulls(lead_id, contact_id) = 1),
  constraint cadence_enrollments_ended_with_time check ((status in ('completed', 'exited')) = (ended_at is not null)),
  constraint cadence_enrollments_exit_with_reason check ((status = 'exited') = (exit_reason is not null)),
  constraint cadence_enrollments_pause_with_reason check ((status = 'paused') = (paused_reason is not null)),
  constraint cadence_enrollments_cadence_exists foreign key (tenant_id, cadence_id) references marketing.cadences on delete cascade,
  constraint cadence_enrollments_step_exists foreign key (tenant_id, current_step_id) references marketing.cadence_steps,
  constraint cadence_enrollments_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade,
  constraint cadence_enrollments_contact_exists foreign key (tenant_id, contact_id) references crm.contacts on delete cascade,
  constraint cadence_enrollments_sender_exists foreign key (tenant_id, sender_id) references identity.users
    on delete set null (sender_id),
  constraint cadence_enrollments_enroller_exists foreign key (tenant_id, enrolled_by) references identity.users
    on delete set null (enrolled_by)
);
create unique index cadence_enrollments_live_lead on marketing.cadence_enrollments (tenant_id, cadence_id, lead_id)
  where status in ('active', 'paused') and lead_id is not null;
create unique index cadence_enrollments_live_contact on marketing.cadence_enrollments (tenant_id, cadence_id, contact_id)
  where status in ('active', 'paused') and contact_id is not null;
create unique index cadence_enrollments_live_address on marketing.cadence_enrollments (tenant_id, cadence_id, person_email_key)
  where status in ('active', 'paused') and person_email_key is not null;
create index cadence_enrollments_by_address on marketing.cadence_enrollments (tenant_id, person_email_key, status)
  where person_email_key is not null;
create index cadence_enrollments_by_lead on marketing.cadence_enrollments (tenant_id, lead_id) where lead_id is not null;
create index cadence_enrollments_by_contact on marketing.cadence_enrollments (tenant_id, contact_id) where contact_id is not null;
create index cadence_enrollments_by_cadence on marketing.cadence_enrollments (tenant_id, cadence_id, id);
create index cadence_enrollments_by_status on marketing.cadence_enrollments (tenant_id, cadence_id, status, id);
create index cadence_enrollments_by_step on marketing.cadence_enrollments (tenant_id, current_step_id, id);
create index cadence_enrollments_active_step on marketing.cadence_enrollments (tenant_id, current_step_id, id)
  where status = 'active';
create index cadence_enrollments_by_sender on marketing.cadence_enrollments (tenant_id, sender_id, status, next_run_at, id);
create index cadence_enrollments_by_enroller on marketing.cadence_enrollments (tenant_id, enrolled_by);
create index cadence_enrollments_resuming on marketing.cadence_enrollments (tenant_id, paused_until, id)
  where status = 'paused' and paused_until is not null;
call platform.isolate_by_tenant('marketing.cadence_enrollments');
grant select (tenant_id, status, paused_until) on marketing.cadence_enrollments to app_retention;
create policy maintenance_select on marketing.cadence_enrollments for select to app_retention
  using (platform.current_tenant_id() is null);

-- The work table of the cadences. The id of a run is the id of its email, so a step cannot be queued twice.
create table marketing.cadence_step_runs (
  tenant_id uuid not null,
  id uuid not null,
  enrollment_id uuid not null,
  cadence_id uuid not null,
  step_id uuid not null,
  state text collate "C" not null default 'waiting' constraint cadence_step_runs_state_known
    check (state in ('waiting', 'claimed', 'done', 'skipped', 'failed', 'uncertain')),
  run_at timestamptz not null,
  claimed_at timestamptz,
  done_at timestamptz,
  -- The day whose email limit counts this run.
  reserved_on date,
  -- The task of the sender, while it is open also its user, and the time at which it is skipped.
  activity_id uuid,
  task_user_id uuid,
  skip_at timestamptz,
  -- Text that the sender wrote for a manual email, until it is sent.
  subject text constraint cadence_step_runs_subject_length check (length(subject) <= 500),
  body text constraint cadence_step_runs_body_length check (length(body) <= 20000),
  skip_reason text collate "C" constraint cadence_step_runs_skip_reason_form check (skip_reason ~ '^[a-z][a-z_]{0,39}$'),
  first_opened_at timestamptz,
  first_clicked_at timestamptz,
  replied_at timestamptz,
  bounced_at timestamptz,
  constraint cadence_step_runs_pkey primary key (tenant_id, id),
  constraint cadence_step_runs_step_unique unique (tenant_id, enrollment_id, step_id),
  constraint cadence_step_runs_claimed_with_time check (state <> 'claimed' or claimed_at is not null),
  constraint cadence_step_runs_enrollment_exists foreign key (tenant_id, enrollment_id) references marketing.cadence_enrollments
    on delete cascade,
  constraint cadence_step_runs_cadence_exists foreign key (tenant_id, cadence_id) references marketing.cadences on delete cascade,
  constraint cadence_step_runs_step_exists foreign key (tenant_id, step_id) references marketing.cadence_steps
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index cadence_step_runs_due on marketing.cadence_step_runs (tenant_id, run_at, id) where state = 'waiting';
create index cadence_step_runs_claimed on marketing.cadence_step_runs (tenant_id, claimed_at, id) where state = 'claimed';
create index cadence_step_runs_tasks on marketing.cadence_step_runs (tenant_id, task_user_id, claimed_at, id) where task_user_id is not null;
create index cadence_step_runs_to_skip on marketing.cadence_step_runs (tenant_id, skip_at, id) where skip_at is not null;
create index cadence_step_runs_by_cadence on marketing.cadence_step_runs (tenant_id, cadence_id, done_at);
create index cadence_step_runs_by_step on marketing.cadence_step_runs (tenant_id, step_id);
create index cadence_step_runs_by_activity on marketing.cadence_step_runs (tenant_id, activity_id) where activity_id is not null;
call platform.isolate_by_tenant('marketing.cadence_step_runs');
-- Lets the schedule find the workspaces with work.
grant select (tenant_id, state, run_at, skip_at) on marketing.cadence_step_runs to app_retention;
create policy maintenance_select on marketing.cadence_step_runs for select to app_retention
  using (platform.current_tenant_id() is null);

-- Statistics of a cadence and, with a step, of that step.
create table marketing.cadence_counts (
  tenant_id uuid not null,
  cadence_id uuid not null,
  -- The id of the cadence itself for counts of the whole cadence.
  step_id uuid not null,
  measure text collate "C" not null constraint cadence_counts_measure_form check (measure ~ '^[a-z][a-z_]{0,39}$'),
  value integer not null,
  constraint cadence_counts_pkey primary key (tenant_id, cadence_id, step_id, measure),
  constraint cadence_counts_cadence_exists foreign key (tenant_id, cadence_id) references marketing.cadences on delete cascade
) with (fillfactor = 70);
call platform.isolate_by_tenant('marketing.cadence_counts');

-- Emails of a sender and day that are sent or have a reserved place, for the daily limits.
create table marketing.cadence_send_counts (
  tenant_id uuid not null,
  day date not null,
  sender_id uuid not null,
  emails integer not null constraint cadence_send_counts_not_negative check (emails >= 0),
  constraint cadence_send_counts_pkey primary key (tenant_id, day, sender_id)
) with (fillfactor = 70);
call platform.isolate_by_tenant('marketing.cadence_send_counts');

create table marketing.cadence_senders (
  tenant_id uuid not null,
  user_id uuid not null,
  away_from date,
  away_to date,
  daily_limit integer constraint cadence_senders_daily_limit_range check (daily_limit between 1 and 100000),
  signature text constraint cadence_senders_signature_length check (length(signature) <= 2000),
  updated_at timestamptz not null default now(),
  constraint cadence_senders_pkey primary key (tenant_id, user_id),
  constraint cadence_senders_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade,
  constraint cadence_senders_dates_in_order check (away_to >= away_from),
  constraint cadence_senders_dates_together check (num_nonnulls(away_from, away_to) in (0, 2))
);
call platform.isolate_by_tenant('marketing.cadence_senders');
