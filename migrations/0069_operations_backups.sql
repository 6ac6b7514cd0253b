-- Exports of a workspace. The archive is in the file store under tenant_id/backups/id.
create table operations.backups (
  tenant_id uuid not null,
  id uuid not null,
  kind text collate "C" not null constraint backups_kind_known check (kind in ('scheduled', 'manual', 'pre_clean', 'pre_delete')),
  state text collate "C" not null default 'queued'
    constraint backups_state_known check (state in ('queued', 'running', 'succeeded', 'failed', 'expired')),
  include_files boolean not null default false,
  size_bytes bigint,
  sha256 bytea constraint backups_sha256_length check (octet_length(sha256) = 32),
  row_counts jsonb,
  schema_version text,
  error text,
  requested_by uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  verified_at timestamptz,
  expires_at timestamptz,
  constraint backups_pkey primary key (tenant_id, id),
  constraint backups_archive_known check (state <> 'succeeded' or (size_bytes is not null and sha256 is not null and verified_at is not null))
);

-- One backup of a workspace at a time.
create unique index backups_one_open on operations.backups (tenant_id) where state in ('queued', 'running');

call platform.isolate_by_tenant('operations.backups');
