import type pg from 'pg'

/** Work of a schedule: `insert` creates it in the workspaces $1, and `left` counts those in which it is not done since $2. */
type ScheduleWork = { schedule: string; insert: string; left: string }

const ofTenants = 'from unnest($1::uuid[]) as tenant (id)'

/** The item, room and campaign of a workspace have its id. */
const folded = (table: string, column: string) => `
  select count(*)::integer as left ${ofTenants}
  where not exists (select from ${table} where tenant_id = tenant.id and ${column} > $2)`

const remaining = (rows: string) => `
  select count(distinct tenant_id)::integer as left from ${rows} tenant_id = any ($1) and $2::timestamptz is not null`

export const works: readonly ScheduleWork[] = [
  {
    schedule: 'crm.fold_lead_deltas',
    insert: `insert into crm.lead_deltas (tenant_id, day, owner_id, source, leads, new_n)
      select tenant.id, current_date, tenant.id, 'web', 1, 1 ${ofTenants}`,
    left: remaining('crm.lead_deltas where'),
  },
  {
    schedule: 'marketing.fold_campaign_counts',
    insert: `insert into marketing.campaign_counts
        (tenant_id, campaign_id, id, status, is_contact, members, responded, new_leads, mqls, sqls, converted)
      select tenant.id, tenant.id, gen_random_uuid(), 'sent', false, 1, 0, 0, 0, 0, 0 ${ofTenants}`,
    left: remaining('marketing.campaign_counts where is_delta and'),
  },
  {
    schedule: 'marketing.attribute_deals',
    insert: `insert into marketing.attribution_marks (tenant_id, id, record_type, record_id)
      select tenant.id, gen_random_uuid(), 'opportunity', tenant.id ${ofTenants}`,
    left: remaining('marketing.attribution_marks where'),
  },
  {
    schedule: 'enablement.fold_views',
    insert: `update enablement.content_views set updated_at = now() where id = any ($1)`,
    left: folded('enablement.content_fold_states', 'folded_to'),
  },
  {
    schedule: 'enablement.fold_room_visits',
    insert: `update enablement.room_visits set updated_at = now() where id = any ($1)`,
    left: folded('enablement.room_fold_positions', 'folded_until'),
  },
  {
    schedule: 'platform.seal_audit',
    insert: `insert into platform.audit_log (tenant_id, id, action, resource_type, actor_type, salt, digest)
      select tenant.id, platform.id_at(now()), 'lead.updated', 'lead', 'system', decode(repeat('00', 16), 'hex'),
        decode(repeat('00', 32), 'hex') ${ofTenants}`,
    left: folded('platform.audit_seals', 'created_at'),
  },
]

/** Workspaces with views, visits, content and tasks of the last days, which are done. */
export const workspaceRows = [
  `insert into identity.tenants (id, slug, name) select id, 'w-' || left(id::text, 36), 'Workspace' ${ofTenants}`,
  `insert into enablement.content_items (tenant_id, id, title, type, status, expires_at)
   select id, id, 'Item', 'document', 'published', now() + interval '1 year' ${ofTenants}`,
  `insert into enablement.content_views
     (tenant_id, id, item_id, source, user_id, started_at, last_event_at, is_internal, updated_at)
   select id, case n when 1 then id else gen_random_uuid() end, id, 'library', id, now() - interval '2 days', now(), true,
     now() - interval '2 days' - n * interval '1 hour' ${ofTenants}, generate_series(1, 20) n`,
  `insert into enablement.content_fold_states (tenant_id, folded_to) select id, now() - interval '1 minute' ${ofTenants}`,
  `insert into enablement.rooms (tenant_id, id, name, status, owner_id, search_text)
   select id, id, 'Room', 'active', id, '' ${ofTenants}`,
  `insert into enablement.room_visits
     (tenant_id, id, room_id, link_id, visitor_id, started_at, last_event_at, counted_at, device, updated_at)
   select id, case n when 1 then id else gen_random_uuid() end, id, id, id, now() - interval '2 days', now(), now(), 'desktop',
     now() - interval '2 days' - n * interval '1 hour' ${ofTenants}, generate_series(1, 5) n`,
  `insert into enablement.room_fold_positions (tenant_id, folded_until) select id, now() - interval '1 minute' ${ofTenants}`,
  `insert into marketing.campaigns (tenant_id, id, name, type, status, member_statuses, search_text)
   select id, id, 'Campaign', 'email', 'active', '[]', '' ${ofTenants}`,
  `insert into platform.background_tasks (tenant_id, id, kind, title, state, created_via, finished_at)
   select id, gen_random_uuid(), 'leads.rescore', 'Rescore', 'succeeded', 'system', now() ${ofTenants}, generate_series(1, 20)`,
]

/** Waits until the work is done everywhere. Returns the seconds since `startedAt`. */
export async function waitForWork(owner: pg.Pool, { left }: ScheduleWork, tenantIds: string[], startedAt: Date) {
  for (;;) {
    const { rows } = await owner.query<{ left: number }>(left, [tenantIds, startedAt])
    if (rows[0]?.left === 0) return (Date.now() - startedAt.getTime()) / 1_000
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
