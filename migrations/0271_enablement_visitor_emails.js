/** Keeps visitors who proved an email address apart from visitors who only entered it. */
export const up = (pgm) => {
  pgm.noTransaction()
  const columns = '(tenant_id, room_id, email_key)'
  // An interrupted run leaves an invalid index.
  pgm.sql('drop index concurrently if exists enablement.room_visitors_verified_once')
  pgm.sql(`create unique index concurrently room_visitors_verified_once on enablement.room_visitors ${columns}
    where email is not null and email_verified_at is not null`)
  pgm.sql('drop index concurrently if exists enablement.room_visitors_claimed_once')
  pgm.sql(`create unique index concurrently room_visitors_claimed_once on enablement.room_visitors ${columns}
    where email is not null and email_verified_at is null`)
  pgm.sql('drop index concurrently if exists enablement.room_visitors_email_once')
}

export const down = false
