-- Flows into a campaign are stopped when it is deleted.
create index segment_flows_by_target on marketing.segment_flows (tenant_id, target_type, target_id);

-- When the counters of a campaign changed: the nightly check counts the members of these campaigns only.
alter table marketing.campaign_counts add column changed_at timestamptz not null default now();
