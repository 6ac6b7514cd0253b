-- Files that users uploaded. The bytes are in the file store under tenant_id/storage_area/id.
create table platform.files (
  tenant_id uuid not null,
  id uuid not null,
  purpose text collate "C" not null constraint files_purpose_format check (purpose ~ '^[a-z_]{1,40}$'),
  storage_area text collate "C" not null default 'files'
    constraint files_storage_area_known check (storage_area in ('files', 'quarantine')),
  filename text not null constraint files_filename_length check (octet_length(filename) between 1 and 180),
  -- Detected from the content; declared_type is what the client sent and decides nothing.
  media_type text collate "C" not null constraint files_media_type_length check (length(media_type) between 1 and 100),
  declared_type text constraint files_declared_type_length check (length(declared_type) <= 200),
  size_bytes bigint not null constraint files_size_positive check (size_bytes > 0),
  sha256 bytea not null constraint files_sha256_length check (octet_length(sha256) = 32),
  scan_status text collate "C" not null
    constraint files_scan_status_known check (scan_status in ('pending', 'clean', 'infected', 'failed', 'skipped')),
  scan_engine text collate "C" not null constraint files_scan_engine_known check (scan_engine in ('clamd', 'none')),
  scan_signature text constraint files_scan_signature_length check (length(scan_signature) <= 200),
  scanned_at timestamptz,
  uploaded_by uuid,
  -- Set while the file store does not have the bytes.
  missing_at timestamptz,
  deleted_at timestamptz,
  delete_after timestamptz,
  created_at timestamptz not null default now(),
  constraint files_pkey primary key (tenant_id, id),
  constraint files_deleted_with_date check ((deleted_at is null) = (delete_after is null))
);

create index files_to_purge on platform.files (tenant_id, delete_after) where delete_after is not null;

call platform.isolate_by_tenant('platform.files');
-- Lets the purge find the tenants that have something to purge.
create policy maintenance_select on platform.files for select to app_system
  using (platform.current_tenant_id() is null);

create table platform.file_usage (
  tenant_id uuid not null,
  bytes bigint not null constraint file_usage_bytes_positive check (bytes >= 0),
  constraint file_usage_pkey primary key (tenant_id)
);
call platform.isolate_by_tenant('platform.file_usage');

-- The row lock of file_usage makes concurrent uploads check the quota one after the other.
create function platform.count_new_files() returns trigger
language plpgsql as $$
begin
  insert into platform.file_usage as usage (tenant_id, bytes)
    select tenant_id, sum(size_bytes) from new_files group by tenant_id
    on conflict on constraint file_usage_pkey do update set bytes = usage.bytes + excluded.bytes;
  return null;
end $$;
create trigger count_new after insert on platform.files
  referencing new table as new_files for each statement execute function platform.count_new_files();

create function platform.count_removed_files() returns trigger
language plpgsql as $$
begin
  update platform.file_usage usage set bytes = usage.bytes - removed.bytes
  from (select tenant_id, sum(size_bytes) as bytes from old_files group by tenant_id) removed
  where usage.tenant_id = removed.tenant_id;
  return null;
end $$;
create trigger count_removed after delete on platform.files
  referencing old table as old_files for each statement execute function platform.count_removed_files();
