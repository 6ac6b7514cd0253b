export function up(pgm) {
  pgm.noTransaction()
  for (const table of ['leads', 'contacts']) {
    // An interrupted run leaves an invalid index.
    pgm.sql(`drop index concurrently if exists crm.${table}_by_phone`)
    pgm.sql(`
      create index concurrently ${table}_by_phone on crm.${table} (tenant_id, phone_e164, id)
      where deleted_at is null and phone_e164 is not null`)
  }
}
