-- Users who can read but not write in community. A suspension that has ended stays until it is replaced or deleted.
create table community.suspensions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  reason text not null constraint suspensions_reason_length check (length(reason) between 1 and 500),
  -- Null until a moderator deletes the suspension.
  ends_at timestamptz,
  suspended_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint suspensions_pkey primary key (tenant_id, id),
  constraint suspensions_one_per_user unique (tenant_id, user_id),
  constraint suspensions_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade,
  constraint suspensions_suspender_exists foreign key (tenant_id, suspended_by) references identity.users on delete set null (suspended_by)
);
create index suspensions_by_creation on community.suspensions (tenant_id, created_at desc, id desc);
create index suspensions_by_suspender on community.suspensions (tenant_id, suspended_by) where suspended_by is not null;
create trigger count_version before update on community.suspensions for each row execute function platform.count_version();
call platform.isolate_by_tenant('community.suspensions');
