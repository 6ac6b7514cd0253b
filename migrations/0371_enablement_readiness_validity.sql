-- Periods and due dates are days of the workspace, so a score is valid until its next midnight; infinity for users without a readiness.
-- The default makes all present scores due.
alter table enablement.readiness_scores add column valid_until timestamptz not null default now();
create index readiness_scores_to_renew on enablement.readiness_scores (valid_until, tenant_id);
grant select (tenant_id, valid_until) on enablement.readiness_scores to app_retention;
