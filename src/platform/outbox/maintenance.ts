import { sql } from 'kysely'
import { type Clock, daysLater, systemClock } from '#platform/clock'
import { dropPartitions, type SystemTx } from '#platform/db'
import { createdAtOf, minIdAt } from '#platform/ids'
import { defineSchedule, type Schedule } from '#platform/jobs'

const retentionDays = 7

export const ensurePartitionsSchedule = defineSchedule(
  'platform.make_partitions',
  '7 * * * *',
  async ({ inSystem, log }) => {
    const created = await inSystem(async (tx) => {
      const { rows } = await sql<{ created: number }>`select platform.ensure_partitions() as created`.execute(tx)
      return rows[0]?.created ?? 0
    })
    if (created) log.info({ created }, 'created partitions')
  },
)

export const dropOldEventsSchedule = (clock: Clock = systemClock): Schedule =>
  defineSchedule('platform.drop_events', '23 * * * *', async ({ inSystem, log }) => {
    const dropped = await inSystem((tx) => dropOldEvents(tx, clock.now()))
    if (dropped) log.info({ dropped }, 'dropped old event partitions')
  })

export async function dropOldEvents(tx: SystemTx, now: Date): Promise<number> {
  const cutoff = daysLater(now, -retentionDays)
  const events = await dropPartitions(tx, 'platform.outbox_events', cutoff)
  await deleteFromDefaultPartitions(tx, cutoff)

  // Receipts must outlive their events, or an event could be delivered twice.
  const oldest = await findOldestEventDay(tx)
  const receipts = await dropPartitions(tx, 'platform.event_receipts', oldest && oldest < cutoff ? oldest : cutoff)
  return events + receipts
}

/** Deletes rows that were written while their partition was missing; default partitions are never dropped. */
async function deleteFromDefaultPartitions(tx: SystemTx, cutoff: Date): Promise<void> {
  await sql`
    delete from platform.outbox_events
    where id < ${minIdAt(cutoff)} and published_at is not null
      and tableoid = to_regclass('platform.outbox_events_default')
  `.execute(tx)
  await sql`
    delete from platform.event_receipts r
    where event_id < ${minIdAt(cutoff)} and tableoid = to_regclass('platform.event_receipts_default')
      and not exists (select from platform.outbox_events e where e.tenant_id = r.tenant_id and e.id = r.event_id)
  `.execute(tx)
}

/** Finds the oldest day with a partition; partitions with unpublished events are not dropped. */
async function findOldestEventDay(tx: SystemTx): Promise<Date | undefined> {
  const { rows } = await sql<{ starts: string | null }>`
    select min((regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''([^'']+)''\\)'))[1]) as starts
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'platform.outbox_events'::regclass
  `.execute(tx)
  return rows[0]?.starts ? createdAtOf(rows[0].starts) : undefined
}
