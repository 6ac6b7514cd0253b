import { sql } from 'kysely'
import { type Clock, daysLater, systemClock } from '#platform/clock'
import { dropPartitions, type SystemTx } from '#platform/db'
import { idAt, madeAt } from '#platform/ids'
import { defineSchedule, type Schedule } from '#platform/jobs'

const keptDays = 7

/** Partitions for the days ahead, of every table that has them. */
export const makingPartitions = defineSchedule('platform.make_partitions', '7 * * * *', async ({ inSystem, log }) => {
  const made = await inSystem(async (tx) => {
    const { rows } = await sql<{ made: number }>`select platform.ensure_partitions() as made`.execute(tx)
    return rows[0]?.made ?? 0
  })
  if (made) log.info({ made }, 'partitions were made')
})

/** Events of more than a week ago go, and the receipts for them. */
export const droppingEvents = (clock: Clock = systemClock): Schedule =>
  defineSchedule('platform.drop_events', '23 * * * *', async ({ inSystem, log }) => {
    const dropped = await inSystem((tx) => dropOldEvents(tx, clock.now()))
    if (dropped) log.info({ dropped }, 'old events were dropped')
  })

/** Tells how many partitions were dropped. */
export async function dropOldEvents(tx: SystemTx, now: Date): Promise<number> {
  const limit = daysLater(now, -keptDays)
  const events = await dropPartitions(tx, 'platform.outbox_events', limit)
  await deleteStrays(tx, limit)

  // A receipt is kept as long as its event, which could otherwise be delivered once more.
  const oldest = await findOldestEventDay(tx)
  const receipts = await dropPartitions(tx, 'platform.event_receipts', oldest && oldest < limit ? oldest : limit)
  return events + receipts
}

/** What was written while its partition was missing lies in the default one, which stays. */
async function deleteStrays(tx: SystemTx, limit: Date): Promise<void> {
  await sql`
    delete from platform.outbox_events
    where id < ${idAt(limit)} and published_at is not null
      and tableoid = to_regclass('platform.outbox_events_default')
  `.execute(tx)
  await sql`
    delete from platform.event_receipts r
    where event_id < ${idAt(limit)} and tableoid = to_regclass('platform.event_receipts_default')
      and not exists (select from platform.outbox_events e where e.tenant_id = r.tenant_id and e.id = r.event_id)
  `.execute(tx)
}

/** The first day of which events are still there, because one of them is not published. */
async function findOldestEventDay(tx: SystemTx): Promise<Date | undefined> {
  const { rows } = await sql<{ starts: string | null }>`
    select min((regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''([^'']+)''\\)'))[1]) as starts
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'platform.outbox_events'::regclass
  `.execute(tx)
  return rows[0]?.starts ? madeAt(rows[0].starts) : undefined
}
