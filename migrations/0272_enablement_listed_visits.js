/** Lists the visits of a room that count, newest first. */
export const up = (pgm) => {
  pgm.noTransaction()
  // An interrupted run leaves an invalid index.
  pgm.sql('drop index concurrently if exists enablement.room_visits_listed')
  pgm.sql(`create index concurrently room_visits_listed on enablement.room_visits (tenant_id, room_id, started_at, id)
    where counted_at is not null and not is_bot`)
}

export const down = false
