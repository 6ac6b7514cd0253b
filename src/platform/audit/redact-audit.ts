import { sql } from 'kysely'
import { containsAnyText, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'

/** Erases label and changes of all entries about these records. Requires the system role. Returns their number. */
export async function redactAuditEntries(tx: TenantTx, resourceType: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ redacted: number }>`
    select platform.redact_audit(${resourceType}, ${ids}::uuid[]) as redacted
  `.execute(tx)
  return rows[0]!.redacted
}

const batchSize = 10_000

type MentionScan = { mentions: readonly string[]; resourceIds?: readonly string[]; after?: string }

export async function redactAuditMentions(tx: TenantTx, { mentions, resourceIds, after = nilUuid }: MentionScan) {
  const inJson = mentions.map((mention) => JSON.stringify(mention).slice(1, -1))
  const { rows } = await sql<{ next: string | null; redacted: number }>`
    select last_id as next, redacted
    from platform.redact_audit_mentions(${[...mentions, ...inJson]}::text[], ${resourceIds ?? null}::uuid[], ${after}, ${batchSize})
  `.execute(tx)
  return rows[0]!
}

/** Lists records of a type whose entries contain one of the texts, also records that no longer exist, in batches of entries. */
export async function listAuditedIdsMentioning(
  tx: TenantTx,
  resourceType: string,
  { mentions, after = nilUuid }: Omit<MentionScan, 'resourceIds'>,
): Promise<{ ids: string[]; next: string | null }> {
  const { rows } = await sql<{ ids: string[]; next: string | null }>`
    with scanned as materialized (
      select id, resource_id, changes from platform.audit_log
      where resource_type = ${resourceType} and id > ${after}::uuid and redacted_at is null
      order by id limit ${sql.lit(batchSize)}
    )
    select array(select distinct resource_id::text from scanned
        where resource_id is not null and ${containsAnyText(sql`changes::text`, mentions)}) as ids,
      case when (select count(*) from scanned) = ${sql.lit(batchSize)}
        then (select id from scanned order by id desc limit 1) end as next
  `.execute(tx)
  return rows[0]!
}
