-- Duplicates are read oldest first and at most 51 of each kind, so the cost does not grow with the leads that share a name.
create index leads_by_name_and_company on crm.leads (tenant_id, name_key, company_key, created_at, id)
  where deleted_at is null and name_key is not null and company_key is not null;
drop index crm.leads_by_email;
create index leads_by_email on crm.leads (tenant_id, email_key, created_at, id) where deleted_at is null;
create index contacts_by_name_and_account on crm.contacts (tenant_id, name_key, account_id, created_at, id)
  where deleted_at is null and name_key is not null and account_id is not null;
