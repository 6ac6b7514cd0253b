import { sql } from 'kysely'
import { type Clock, daysLater, systemClock } from '#platform/clock'
import { createPartitions, dropPartitions, type SystemTx } from '#platform/db'
import { createdAtOf, minIdAt } from '#platform/ids'
import { defineSchedule, type Schedule, type ScheduleContext } from '#platform/jobs'
import { deleteRetiredConsumers } from './consumers.ts'

const retentionDays = 7

export const ensurePartitionsSchedule = defineSchedule('platform.create_partitions', '7 * * * *', async (context) => {
  const created = await createPartitions(context)
  if (created) context.log.info({ created }, 'created partitions')
})

export const dropOldEventsSchedule = (clock: Clock = systemClock): Schedule =>
  defineSchedule('platform.drop_events', '23 * * * *', async (context) => {
    const dropped = await dropOldEvents(context, clock.now())
    if (dropped) context.log.info({ dropped }, 'dropped old event partitions')
    const retired = await context.inSystem(deleteRetiredConsumers)
    if (retired.length)
      context.log.warn({ retired }, 'retired event consumers that no process has registered for a week')
  })

export async function dropOldEvents(context: Pick<ScheduleContext, 'inSystem' | 'signal'>, now: Date): Promise<number> {
  const { inSystem } = context
  const cutoff = daysLater(now, -retentionDays)
  const events = await dropPartitions(context, 'platform.outbox_events', cutoff)
  await inSystem((tx) => deleteFromDefaultPartitions(tx, cutoff))

  // Receipts must outlive their events, or an event could be delivered twice.
  const oldest = await inSystem(findOldestEventDay)
  const receipts = await dropPartitions(context, 'platform.event_receipts', oldest && oldest < cutoff ? oldest : cutoff)
  return events + receipts
}

/** Deletes rows that were moved there because of an unfinished delivery, or written while their partition was missing. */
async function deleteFromDefaultPartitions(tx: SystemTx, cutoff: Date): Promise<void> {
  await sql`
    delete from platform.outbox_events
    where id < ${minIdAt(cutoff)} and published_at is not null
      and tableoid = to_regclass('platform.outbox_events_default')
      and id not in (select platform.list_undelivered_event_ids())
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
