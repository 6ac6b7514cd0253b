-- The list of a workspace shows the address, unless the person was erased. Older suppressions only have the keyed hash.
alter table crm.suppressions
  add column id uuid not null default gen_random_uuid(),
  add column subject text collate "C" constraint suppressions_subject_length check (length(subject) between 1 and 254),
  drop constraint suppressions_reason_known,
  add constraint suppressions_reason_known
    check (reason in ('unsubscribed', 'complained', 'bounced', 'erased', 'manual', 'listed'));
create unique index suppressions_id_unique on crm.suppressions (tenant_id, id);
create index suppressions_by_time on crm.suppressions (tenant_id, at, id);

-- Email addresses of an uploaded file that a task has not suppressed yet.
create table crm.suppression_uploads (
  tenant_id uuid not null,
  upload_id uuid not null,
  position integer not null,
  email text collate "C" not null constraint suppression_uploads_email_length check (length(email) between 3 and 254),
  created_at timestamptz not null default now(),
  constraint suppression_uploads_pkey primary key (tenant_id, upload_id, position)
);
create index suppression_uploads_by_email on crm.suppression_uploads (tenant_id, email);
create index suppression_uploads_by_creation on crm.suppression_uploads (tenant_id, created_at);
call platform.isolate_by_tenant('crm.suppression_uploads');
