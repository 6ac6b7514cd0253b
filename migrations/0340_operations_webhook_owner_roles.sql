alter table operations.webhook_endpoints drop constraint webhook_endpoints_disabled_reason_known;
alter table operations.webhook_endpoints add constraint webhook_endpoints_disabled_reason_known
  check (disabled_reason in ('manual', 'gone', 'failing', 'imported', 'owner_deactivated', 'owner_role_changed'));
