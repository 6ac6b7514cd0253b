-- Certificates of completed enrollments. Path, enrollment and holder are null after their deletion; the code stays.
create table enablement.certificates (
  tenant_id uuid not null,
  id uuid not null,
  enrollment_id uuid,
  user_id uuid,
  path_id uuid,
  code text collate "C" not null constraint certificates_code_form check (code ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
  holder_name text constraint certificates_holder_length check (length(holder_name) between 1 and 200),
  title text not null constraint certificates_title_length check (length(title) between 1 and 150),
  issued_at timestamptz not null,
  expires_at timestamptz,
  -- The time of the next enrollment, if the path asks for one before the certificate expires.
  recertify_at timestamptz,
  recertified_at timestamptz,
  expired_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text constraint certificates_reason_length check (length(revoke_reason) between 1 and 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint certificates_pkey primary key (tenant_id, id),
  constraint certificates_code_unique unique (tenant_id, code),
  constraint certificates_enrollment_unique unique (tenant_id, enrollment_id),
  constraint certificates_enrollment_exists foreign key (tenant_id, enrollment_id)
    references enablement.learning_enrollments on delete set null (enrollment_id),
  constraint certificates_user_exists foreign key (tenant_id, user_id)
    references identity.users on delete set null (user_id),
  constraint certificates_path_exists foreign key (tenant_id, path_id)
    references enablement.learning_paths on delete set null (path_id)
);
create index certificates_by_user on enablement.certificates (tenant_id, user_id, path_id, issued_at desc);
create index certificates_by_path on enablement.certificates (tenant_id, path_id);
create index certificates_to_expire on enablement.certificates (tenant_id, expires_at, id)
  where expires_at is not null and expired_at is null and revoked_at is null;
create index certificates_to_renew on enablement.certificates (tenant_id, recertify_at, id)
  where recertify_at is not null and recertified_at is null and revoked_at is null;
create trigger count_version before update on enablement.certificates
  for each row execute function platform.count_version();
call platform.isolate_by_tenant('enablement.certificates');
grant select (tenant_id, expires_at, expired_at, recertify_at, recertified_at, revoked_at) on enablement.certificates to app_retention;
create policy maintenance_select on enablement.certificates for select to app_retention
  using (platform.current_tenant_id() is null);
