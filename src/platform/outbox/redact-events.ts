import { sql } from 'kysely'
import { containsAnyText, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'

const batchSize = 10_000

type EventScan = {
  subjectIds: readonly string[]
  mentions: readonly string[]
  related: { ids: readonly string[]; mentions: readonly string[] }
  after?: string
}

/** Replaces the data of one batch of events that are about these records or contain one of the texts, as if it were too large. */
export async function redactEvents(tx: TenantTx, { subjectIds, mentions, related, after = nilUuid }: EventScan) {
  const text = sql`data::text`
  const { rows } = await sql<{ next: string | null; redacted: number }>`
    with scanned as materialized (
      select id, data <> '{}' and not (data ? 'truncated')
        and (subject_id = any (${subjectIds}::text[]) or ${containsAnyText(text, mentions)}
          or (subject_id = any (${related.ids}::text[]) and ${containsAnyText(text, related.mentions)})) as is_match
      from platform.outbox_events where id > ${after}::uuid order by id limit ${sql.lit(batchSize)}
    ), changed as (
      update platform.outbox_events set data = jsonb_build_object('truncated', true, 'id', subject_id)
      where id = any (array(select id from scanned where is_match)) returning id
    )
    select (select count(*)::integer from changed) as redacted,
      case when (select count(*) from scanned) = ${sql.lit(batchSize)}
        then (select id from scanned order by id desc limit 1) end as next
  `.execute(tx)
  return rows[0]!
}
