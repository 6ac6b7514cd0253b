import { sql } from 'kysely'
import { containsAnyText, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'

const batchSize = 10_000

type DeliveryScan = {
  subjectIds: readonly string[]
  mentions: readonly string[]
  related: { ids: readonly string[]; mentions: readonly string[] }
  after?: string
}

/** Replaces the data of one batch of events that are about these records or contain one of the texts, as if it were too large. */
export async function redactDeliveries(
  tx: TenantTx,
  { subjectIds, mentions, related, after = nilUuid }: DeliveryScan,
): Promise<{ redacted: number; next: string | null }> {
  const text = sql`(event -> 'data')::text`
  const subjectId = sql`event -> 'subject' ->> 'id'`
  const { rows } = await sql<{ next: string | null; redacted: number }>`
    with scanned as materialized (
      select id, (event -> 'data') <> '{}' and not ((event -> 'data') ? 'truncated')
        and (${subjectId} = any (${subjectIds}::text[]) or ${containsAnyText(text, mentions)}
          or (${subjectId} = any (${related.ids}::text[]) and ${containsAnyText(text, related.mentions)})) as is_match
      from operations.webhook_deliveries where id > ${after}::uuid order by id limit ${sql.lit(batchSize)}
    ), changed as (
      update operations.webhook_deliveries
      set event = jsonb_set(event, '{data}', jsonb_build_object('truncated', true, 'id', ${subjectId}))
      where id = any (array(select id from scanned where is_match)) returning id
    )
    select (select count(*)::integer from changed) as redacted,
      case when (select count(*) from scanned) = ${sql.lit(batchSize)}
        then (select id from scanned order by id desc limit 1) end as next
  `.execute(tx)
  return rows[0]!
}
