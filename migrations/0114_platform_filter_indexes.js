// Lists that filter by these columns would otherwise read all records of a workspace if few of them match. The indexes are created
// while the tables are written.
const indexes = {
  'crm.accounts_by_industry': 'crm.accounts (tenant_id, industry, name_key, id) where deleted_at is null',
  'enablement.content_items_by_category':
    'enablement.content_items (tenant_id, status, category, updated_at desc, id desc) where deleted_at is null',
  'platform.background_tasks_by_kind': 'platform.background_tasks (tenant_id, kind, id desc)',
}

export const up = (pgm) => {
  pgm.noTransaction()
  for (const [name, definition] of Object.entries(indexes)) {
    pgm.sql(`drop index concurrently if exists ${name}`)
    pgm.sql(`create index concurrently ${name.split('.')[1]} on ${definition}`)
  }
}

export const down = false
