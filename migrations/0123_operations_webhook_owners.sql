-- The user whose rights limit the events of an endpoint. Null means its creator, because the previous version does not set it.
alter table operations.webhook_endpoints add column owner_id uuid;

alter table operations.webhook_endpoints drop constraint webhook_endpoints_disabled_reason_known;
alter table operations.webhook_endpoints add constraint webhook_endpoints_disabled_reason_known
  check (disabled_reason in ('manual', 'gone', 'failing', 'imported', 'owner_deactivated'));
