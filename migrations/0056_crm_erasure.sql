-- Requests to erase a person. The identifiers of the person are encrypted and removed when the erasure is complete.
create table crm.erasure_requests (
  tenant_id uuid not null,
  id uuid not null,
  subject_hash bytea not null constraint erasure_requests_hash_length check (octet_length(subject_hash) = 32),
  record_type text not null constraint erasure_requests_record_type_known check (record_type in ('lead', 'contact')),
  record_id uuid not null,
  keep_suppression boolean not null,
  state text not null default 'queued' constraint erasure_requests_state_known
    check (state in ('queued', 'running', 'completed', 'failed')),
  counts jsonb not null default '{}',
  lead_ids uuid[] not null default '{}',
  contact_ids uuid[] not null default '{}',
  subject_kid text,
  subject_ciphertext bytea,
  task_id uuid,
  requested_by uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  constraint erasure_requests_pkey primary key (tenant_id, id),
  constraint erasure_requests_subject_whole check ((subject_kid is null) = (subject_ciphertext is null)),
  constraint erasure_requests_completed_is_blank check (state <> 'completed' or (finished_at is not null and subject_kid is null)),
  constraint erasure_requests_requester_exists foreign key (tenant_id, requested_by) references identity.users
    on delete set null (requested_by)
);
-- One open request per person. A failed one is started again.
create unique index erasure_requests_open on crm.erasure_requests (tenant_id, subject_hash) where state <> 'completed';
create index erasure_requests_by_task on crm.erasure_requests (tenant_id, task_id);
create index erasure_requests_by_requester on crm.erasure_requests (tenant_id, requested_by);
call platform.isolate_by_tenant('crm.erasure_requests');

-- Redacts the entries of one batch, in id order, that contain one of the texts. Without resources it reads the entries of all records.
create function platform.redact_audit_mentions(mentions text[], resources uuid[], after uuid, batch integer)
returns table (last_id uuid, redacted integer)
language plpgsql security definer set search_path = '' as $$
declare
  patterns text[] := array(
    select '%' || regexp_replace(lower(mention), '([\\%_])', '\\\1', 'g') || '%' from unnest(mentions) as mention);
begin
  return query
    with scanned as materialized (
      select log.id, log.redacted_at is null
        and lower(coalesce(log.resource_label, '') || ' ' || coalesce(log.changes::text, '')) like any (patterns) as is_match
      from platform.audit_log log
      where log.tenant_id = platform.current_tenant_id() and log.id > after
        and (resources is null or log.resource_id = any (resources))
      order by log.id limit batch
    ), changed as (
      update platform.audit_log log
      set resource_label = null, changes = null, salt = null, redacted_at = now()
      where log.tenant_id = platform.current_tenant_id() and log.id = any (array(select id from scanned where is_match))
        and log.redacted_at is null
      returning log.id
    )
    select case when (select count(*) from scanned) = batch then (select id from scanned order by id desc limit 1) end,
      (select count(*)::integer from changed);
end $$;
grant execute on function platform.redact_audit_mentions(text[], uuid[], uuid, integer) to app_system;
