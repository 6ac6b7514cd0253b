-- Existing values of a field that becomes unique are claimed by a job if there are many.
alter table crm.custom_fields
  add column unique_state text not null default 'none' constraint custom_fields_unique_state_known
    check (unique_state in ('none', 'building', 'ready', 'failed')),
  -- Records whose values prevented the field from becoming unique.
  add column duplicate_record_ids uuid[] not null default '{}' constraint custom_fields_duplicates_size check (cardinality(duplicate_record_ids) <= 10);

alter table crm.custom_fields no force row level security;
update crm.custom_fields set unique_state = 'ready' where is_unique;
alter table crm.custom_fields force row level security;
