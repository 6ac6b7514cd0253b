create table crm.custom_fields (
  tenant_id uuid not null,
  id uuid not null,
  object_type text not null constraint custom_fields_object_type_known
    check (object_type in ('lead', 'contact', 'account', 'opportunity', 'campaign')),
  key text not null constraint custom_fields_key_form check (key ~ '^[a-z][a-z0-9_]{0,49}$'),
  label text not null constraint custom_fields_label_length check (length(label) between 1 and 100),
  description text constraint custom_fields_description_length check (length(description) <= 500),
  type text not null constraint custom_fields_type_known check (type in ('text', 'long_text', 'number', 'boolean', 'date',
    'datetime', 'select', 'multi_select', 'url', 'email', 'phone', 'money', 'user')),
  options jsonb not null default '[]',
  validation jsonb not null default '{}',
  default_value jsonb,
  is_required boolean not null default false,
  is_unique boolean not null default false,
  is_filterable boolean not null default true,
  is_active boolean not null default true,
  is_personal boolean not null default false,
  group_label text constraint custom_fields_group_label_length check (length(group_label) <= 100),
  position integer not null,
  maps_to jsonb,
  index_state text not null default 'none' constraint custom_fields_index_state_known
    check (index_state in ('none', 'building', 'ready')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Set while the values of a deleted field are removed from the records; the key is free afterwards.
  deleted_at timestamptz,
  version integer not null default 1,
  primary key (tenant_id, id),
  constraint custom_fields_key_unique unique (tenant_id, object_type, key)
);
create index custom_fields_by_position on crm.custom_fields (tenant_id, object_type, position, id);
create trigger count_version before update of label, description, type, options, validation, default_value, is_required,
  is_unique, is_filterable, is_active, is_personal, group_label, position, maps_to, deleted_at
  on crm.custom_fields for each row execute function platform.count_version();
call platform.isolate_by_tenant('crm.custom_fields');

-- Values of filterable fields, one row each: jsonb operators cannot use an index under row-level security.
create table crm.custom_field_index (
  tenant_id uuid not null,
  field_id uuid not null,
  record_id uuid not null,
  ord smallint not null,
  txt text collate "C" constraint custom_field_index_txt_length check (length(txt) <= 200),
  num double precision,
  ts timestamptz,
  primary key (tenant_id, field_id, record_id, ord)
);
create index custom_field_index_by_text on crm.custom_field_index (tenant_id, field_id, txt, record_id) where txt is not null;
create index custom_field_index_by_number on crm.custom_field_index (tenant_id, field_id, num, record_id) where num is not null;
create index custom_field_index_by_time on crm.custom_field_index (tenant_id, field_id, ts, record_id) where ts is not null;
create index custom_field_index_by_record on crm.custom_field_index (tenant_id, record_id);
call platform.isolate_by_tenant('crm.custom_field_index');

-- Values of unique fields of records that are not deleted.
create table crm.custom_field_unique (
  tenant_id uuid not null,
  field_id uuid not null,
  value_hash text collate "C" not null,
  record_id uuid not null,
  constraint custom_field_unique_value primary key (tenant_id, field_id, value_hash)
);
create index custom_field_unique_by_record on crm.custom_field_unique (tenant_id, record_id);
call platform.isolate_by_tenant('crm.custom_field_unique');

-- Reads the definitions after locking them in shared mode: a volatile function takes a new snapshot for each of its statements.
create function crm.lock_custom_fields_shared(of_type text) returns setof crm.custom_fields
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(platform.current_tenant_id() || ':custom_fields', 0));
  return query select * from crm.custom_fields where object_type = of_type order by position, id;
end $$;
grant execute on function crm.lock_custom_fields_shared(text) to app, app_system;

-- Keys whose values are not shown: inactive fields, and deleted ones until their values are removed.
-- The statistics of a table that was empty or small suggest a sequential scan; lists must not depend on other tenants.
create function crm.hidden_custom_keys(of_type text) returns text[]
language plpgsql stable set enable_seqscan = off as $$
begin
  return array(select key from crm.custom_fields where object_type = of_type and (not is_active or deleted_at is not null));
end $$;
grant execute on function crm.hidden_custom_keys(text) to app, app_system;
