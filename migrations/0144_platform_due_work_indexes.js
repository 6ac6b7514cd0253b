// Schedules find the workspaces with work by these indexes, so that their cost does not grow with the number of other workspaces.
const indexes = [
  ['enablement', 'content_views_recent', 'content_views (updated_at, tenant_id)'],
  [
    'enablement',
    'content_items_expired',
    `content_items (expires_at, tenant_id) where status = 'published' and deleted_at is null and expires_at is not null`,
  ],
  [
    'marketing',
    'campaigns_to_advance',
    `campaigns (tenant_id, status, start_on, end_on) where status in ('scheduled', 'active')`,
  ],
  ['platform', 'background_tasks_running', `background_tasks (updated_at) where state = 'running'`],
]

export const up = (pgm) => {
  pgm.noTransaction()
  for (const [schema, name, definition] of indexes) {
    // An interrupted run leaves an invalid index.
    pgm.sql(`drop index concurrently if exists ${schema}.${name}`)
    pgm.sql(`create index concurrently ${name} on ${schema}.${definition}`)
  }
}

export const down = false
