import { type RawBuilder, sql } from 'kysely'
import { type RecordRule, type RuleContext, selectMatchingIds } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import type { SegmentType } from '../segments/segments.schemas.ts'

const recordColumns = { lead: 'lead_id', contact: 'contact_id', account: 'account_id' } as const

/** Returns the number of new members. Rows are inserted in id order, because two inserts of one member wait for each other. */
export async function insertSegmentMembers(
  tx: TenantTx,
  segment: { id: string; object_type: SegmentType },
  recordIds: readonly string[],
  addedBy: string | null,
): Promise<number> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('marketing.segment_members')
    .columns(['segment_id', recordColumns[segment.object_type], 'added_by'])
    .expression(
      sql`select ${segment.id}::uuid, record_id, ${addedBy}::uuid
        from unnest(${[...new Set(recordIds)].sort()}::uuid[]) as record_id order by record_id`,
    )
    .onConflict((conflict) => conflict.constraint('segment_members_pkey').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}

export async function deleteSegmentMembers(
  tx: TenantTx,
  segmentId: string,
  recordIds: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('marketing.segment_members')
    .where('segment_id', '=', segmentId)
    .where('record_id', '=', sql<string>`any(${recordIds}::uuid[])`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export type MemberPage = { after?: string; offset?: number; limit: number }

type IdQuery = RawBuilder<{ id: string }>

/** Selects the ids of members in id order. */
export async function listMatchingMembers(
  tx: TenantTx,
  rule: RecordRule,
  context: RuleContext,
  { after, offset = 0, limit }: MemberPage,
): Promise<string[]> {
  const { matching } = await selectMatchingIds(tx, rule, context)
  const isAfter = after ? sql`where matching.id > ${after}::uuid` : sql``
  const page: IdQuery = sql`(select matching.id from (${matching}) as matching ${isAfter}
    order by matching.id limit ${sql.lit(limit)} offset ${offset}::bigint)`
  const rows = await tx.selectFrom(page.as('page')).select('page.id').execute()
  return rows.map(({ id }) => id)
}
