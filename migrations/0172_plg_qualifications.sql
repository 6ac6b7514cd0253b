create table plg.qualifications (
  tenant_id uuid not null,
  id uuid not null,
  rule_key text collate "C" not null,
  actor_id uuid not null,
  is_account boolean not null,
  qualified_at timestamptz not null,
  last_met_on date not null,
  lost_at timestamptz,
  evidence jsonb not null,
  points integer not null constraint qualifications_points_range check (points between -100 and 100),
  created_lead_id uuid,
  -- The lead of a person that has the points.
  scored_lead_id uuid,
  -- The lead, contact or account does not reflect the state of the qualification yet.
  effects_due boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint qualifications_pkey primary key (tenant_id, id),
  constraint qualifications_actor_exists foreign key (tenant_id, actor_id) references plg.actors on delete cascade,
  constraint qualifications_scored_lead_exists foreign key (tenant_id, scored_lead_id) references crm.leads
    on delete set null (scored_lead_id),
  constraint qualifications_lead_exists foreign key (tenant_id, created_lead_id) references crm.leads on delete set null (created_lead_id)
);
create unique index qualifications_open on plg.qualifications (tenant_id, rule_key, actor_id) where lost_at is null;
create index qualifications_by_time on plg.qualifications (tenant_id, qualified_at desc, id desc);
create index qualifications_by_rule on plg.qualifications (tenant_id, rule_key, qualified_at desc, id desc);
create index qualifications_by_loss on plg.qualifications (tenant_id, lost_at) where lost_at is not null;
create index qualifications_lost on plg.qualifications (tenant_id, qualified_at desc, id desc) where lost_at is not null;
create index qualifications_by_actor on plg.qualifications (tenant_id, actor_id, qualified_at desc);
create index qualifications_by_scored_lead on plg.qualifications (tenant_id, scored_lead_id) where scored_lead_id is not null;
create index qualifications_by_lead on plg.qualifications (tenant_id, created_lead_id) where created_lead_id is not null;
create index qualifications_current on plg.qualifications (tenant_id, qualified_at desc, id desc) where lost_at is null;
create index qualifications_to_check on plg.qualifications (tenant_id, id) where lost_at is null;
create index qualifications_with_effects on plg.qualifications (tenant_id, id) where effects_due;
create trigger touch before update on plg.qualifications for each row execute function platform.touch();
call platform.isolate_by_tenant('plg.qualifications');
grant select (tenant_id, lost_at, effects_due) on plg.qualifications to app_retention;
create policy maintenance_select on plg.qualifications for select to app_retention using (platform.current_tenant_id() is null);
