import { sql } from 'kysely'
import type { SystemTx } from '#platform/db'

/** Reads when the last complete run listed its tenants, and the current time of the database. */
export async function readPosition(tx: SystemTx, schedule: string): Promise<{ since: Date; now: Date }> {
  const { rows } = await sql<{ since: Date; now: Date }>`
    select coalesce(
      (select listed_at from platform.schedule_positions where schedule = ${schedule}), 'epoch'::timestamptz) as since, now()
  `.execute(tx)
  return rows[0]!
}

export async function storePosition(tx: SystemTx, schedule: string, listedAt: Date): Promise<void> {
  await tx
    .insertInto('platform.schedule_positions')
    .values({ schedule, listed_at: listedAt })
    .onConflict((conflict) =>
      conflict.constraint('schedule_positions_pkey').doUpdateSet({
        listed_at: sql<Date>`greatest(schedule_positions.listed_at, excluded.listed_at)`,
      }),
    )
    .execute()
}
