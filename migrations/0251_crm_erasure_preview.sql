-- A preview runs all parts of an erasure in one transaction, which needs the role of those that redact the audit log.
grant execute on function crm.redact_consent_events(bytea[], uuid[]) to app_system;
