/** Finds the last email about the same thing, for notifications with an interval between emails. */
export const up = (pgm) => {
  pgm.noTransaction()
  // An interrupted run leaves an invalid index.
  pgm.sql('drop index concurrently if exists platform.notifications_mailed')
  pgm.sql(`create index concurrently notifications_mailed on platform.notifications
    (tenant_id, user_id, kind, coalesce_key, mailed_at) where mailed_at is not null`)
}

export const down = false
