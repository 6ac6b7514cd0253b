-- Lets nightly schedules find the workspaces with work instead of starting a job in each. The policies are for app_retention, which
-- app_system assumes to list: further policies of app_system would apply to its statements inside a workspace too, and those could
-- no longer use indexes that start with tenant_id. Only the columns that decide whether there is work are visible.
grant usage on schema community, crm, enablement, marketing to app_retention;

grant select (tenant_id, deleted_at, engagement_score) on crm.leads to app_retention;
grant select (tenant_id, deleted_at) on crm.contacts, crm.accounts, crm.opportunities to app_retention;
grant select (tenant_id, user_id) on crm.open_lead_counts to app_retention;
grant select (tenant_id) on crm.lead_rollups to app_retention;
grant select (tenant_id, updated_at, deleted_at, purged_at, renderer_version) on community.threads to app_retention;
grant select (tenant_id, deleted_at, purged_at, renderer_version) on community.replies to app_retention;
grant select (tenant_id, views_total) on enablement.content_item_stats to app_retention;
grant select (tenant_id, status, start_on, end_on) on marketing.campaigns to app_retention;

create policy maintenance_select on crm.leads for select to app_retention using (platform.current_tenant_id() is null);
create policy maintenance_select on crm.contacts for select to app_retention using (platform.current_tenant_id() is null);
create policy maintenance_select on crm.accounts for select to app_retention using (platform.current_tenant_id() is null);
create policy maintenance_select on crm.opportunities for select to app_retention using (platform.current_tenant_id() is null);
create policy maintenance_select on crm.open_lead_counts for select to app_retention using (platform.current_tenant_id() is null);
create policy maintenance_select on crm.lead_rollups for select to app_retention using (platform.current_tenant_id() is null);
create policy maintenance_select on community.threads for select to app_retention using (platform.current_tenant_id() is null);
create policy maintenance_select on community.replies for select to app_retention using (platform.current_tenant_id() is null);
create policy maintenance_select on enablement.content_item_stats for select to app_retention
  using (platform.current_tenant_id() is null);
create policy maintenance_select on marketing.campaigns for select to app_retention using (platform.current_tenant_id() is null);
