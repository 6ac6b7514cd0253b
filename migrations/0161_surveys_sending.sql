-- The counts change with the emails of the distribution; resolved_at is set when its recipients are complete.
alter table surveys.distributions
  add column sent integer not null default 0,
  add column failed integer not null default 0,
  add column bounced integer not null default 0,
  add column unsubscribed integer not null default 0,
  add column resolved_at timestamptz;
create index invitations_by_status on surveys.invitations (tenant_id, survey_id, status, created_at desc, id desc);
create index invitations_newest_of_distribution on surveys.invitations (tenant_id, distribution_id, created_at desc, id desc);

create table surveys.exports (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  task_id uuid not null,
  file_id uuid,
  row_count integer constraint exports_row_count_positive check (row_count >= 0),
  created_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint exports_pkey primary key (tenant_id, id),
  constraint exports_survey_exists foreign key (tenant_id, survey_id) references surveys.surveys on delete cascade,
  constraint exports_file_exists foreign key (tenant_id, file_id) references platform.files on delete set null (file_id),
  constraint exports_creator_exists foreign key (tenant_id, created_by) references identity.users on delete set null (created_by)
);
create index exports_by_survey on surveys.exports (tenant_id, survey_id);
create index exports_by_file on surveys.exports (tenant_id, file_id);
create index exports_by_creator on surveys.exports (tenant_id, created_by);
create index exports_by_expiry on surveys.exports (tenant_id, expires_at);
call platform.isolate_by_tenant('surveys.exports');
