const tables = ['leads', 'contacts', 'accounts', 'opportunities']

/** Lists deleted records by the time of their deletion, also those of one user. */
export const up = (pgm) => {
  pgm.noTransaction()
  for (const table of tables) {
    const indexes = {
      [`${table}_by_deletion`]: '(tenant_id, deleted_at, id) where deleted_at is not null',
      [`${table}_by_deleter_and_time`]: '(tenant_id, deleted_by, deleted_at, id) where deleted_by is not null',
    }
    for (const [name, columns] of Object.entries(indexes)) {
      // An interrupted run leaves an invalid index.
      pgm.sql(`drop index concurrently if exists crm.${name}`)
      pgm.sql(`create index concurrently ${name} on crm.${table} ${columns}`)
    }
    pgm.sql(`drop index concurrently if exists crm.${table}_deleted`)
    pgm.sql(`drop index concurrently if exists crm.${table}_by_deleter`)
  }
}

export const down = false
