import { type RawBuilder, sql } from 'kysely'
import { containsAnyText, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'

const batchSize = 10_000

export type EventScan = {
  subjectIds: readonly string[]
  mentions: readonly string[]
  related: { ids: readonly string[]; mentions: readonly string[] }
  after?: string
}

/** A table whose rows contain events. */
type EventTable = {
  name: RawBuilder<unknown>
  data: RawBuilder<unknown>
  subjectId: RawBuilder<unknown>
  /** Assigns new data to a row. */
  assign(data: RawBuilder<unknown>): RawBuilder<unknown>
}

/** Replaces the data of one batch of events that are about these records or contain one of the texts, as if it were too large. */
export async function redactEventTable(
  tx: TenantTx,
  { name, data, subjectId, assign }: EventTable,
  { subjectIds, mentions, related, after = nilUuid }: EventScan,
): Promise<{ redacted: number; next: string | null }> {
  const text = sql`(${data})::text`
  const { rows } = await sql<{ next: string | null; redacted: number }>`
    with scanned as materialized (
      select id, (${data}) <> '{}' and not ((${data}) ? 'truncated')
        and (${subjectId} = any (${subjectIds}::text[]) or ${containsAnyText(text, mentions)}
          or (${subjectId} = any (${related.ids}::text[]) and ${containsAnyText(text, related.mentions)})) as is_match
      from ${name} where id > ${after}::uuid order by id limit ${sql.lit(batchSize)}
    ), changed as (
      update ${name} set ${assign(sql`jsonb_build_object('truncated', true, 'id', ${subjectId})`)}
      where id = any (array(select id from scanned where is_match)) returning id
    )
    select (select count(*)::integer from changed) as redacted,
      case when (select count(*) from scanned) = ${sql.lit(batchSize)}
        then (select id from scanned order by id desc limit 1) end as next
  `.execute(tx)
  return rows[0]!
}

const outboxEvents: EventTable = {
  name: sql`platform.outbox_events`,
  data: sql`data`,
  subjectId: sql`subject_id`,
  assign: (data) => sql`data = ${data}`,
}

export const redactEvents = (tx: TenantTx, scan: EventScan) => redactEventTable(tx, outboxEvents, scan)
