import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { SegmentType } from './segments.schemas.ts'

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
