-- Email addresses and phone numbers whose consent has changed, while a job still has to copy it to their leads and contacts.
create table crm.consent_projections (
  tenant_id uuid not null,
  subject text collate "C" not null constraint consent_projections_subject_length check (length(subject) between 1 and 254),
  channel text collate "C" not null constraint consent_projections_channel_known check (channel in ('email', 'phone', 'processing')),
  -- The strictest status since the records were last equal to the consent. Stricter records keep their own status.
  strictest_status text collate "C" not null,
  constraint consent_projections_pkey primary key (tenant_id, subject, channel)
);
call platform.isolate_by_tenant('crm.consent_projections');
