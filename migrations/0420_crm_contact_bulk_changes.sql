-- Bulk actions on contacts store their changes beside those on leads.
alter table crm.bulk_changes add column contact_id uuid;
alter table crm.bulk_changes drop constraint bulk_changes_pkey;
alter table crm.bulk_changes alter column lead_id drop not null;
alter table crm.bulk_changes
  add column record_id uuid not null generated always as (coalesce(lead_id, contact_id)) stored,
  add constraint bulk_changes_pkey primary key (tenant_id, task_id, record_id),
  add constraint bulk_changes_one_record check (num_nonnulls(lead_id, contact_id) = 1);
