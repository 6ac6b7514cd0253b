-- An import inserts the rows of a workspace table by table. These keys refer to rows of the same table or of one that comes later,
-- so the import defers them to its end. All other transactions check them immediately, as before.
alter table identity.users alter constraint users_manager_exists deferrable initially immediate;
alter table identity.teams alter constraint teams_parent_exists deferrable initially immediate;
alter table identity.api_keys alter constraint api_keys_ancestor_exists deferrable initially immediate;
alter table crm.accounts alter constraint accounts_parent_exists deferrable initially immediate;
alter table crm.contacts alter constraint contacts_merged_into_exists deferrable initially immediate;
alter table crm.leads
  alter constraint leads_merged_into_exists deferrable initially immediate,
  alter constraint leads_contact_exists deferrable initially immediate,
  alter constraint leads_opportunity_exists deferrable initially immediate;
