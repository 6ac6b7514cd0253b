import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type MemberCountRow = {
  segment_id: string
  member_count: number | null
  relation: 'eq' | 'gte' | null
  counted_at: Date | null
}

export async function listMemberCounts(tx: TenantTx, segmentIds: readonly string[]): Promise<MemberCountRow[]> {
  const rows = await tx
    .selectFrom('marketing.segment_counts')
    .select(['segment_id', 'member_count', 'relation', 'counted_at'])
    .where('segment_id', '=', sql<string>`any(${segmentIds}::uuid[])`)
    .execute()
  return rows as MemberCountRow[]
}

/** The next run of the schedule counts these segments first. */
export async function markCountsDue(tx: TenantTx, segmentIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('marketing.segment_counts')
    .set((eb) => ({ changes: eb('changes', '+', 1), due_at: sql<Date>`'epoch'::timestamptz` }))
    .where(
      'segment_id',
      'in',
      tx
        .selectFrom('marketing.segment_counts')
        .select('segment_id')
        .where('segment_id', '=', sql<string>`any(${segmentIds}::uuid[])`)
        .orderBy('segment_id')
        .forUpdate(),
    )
    .execute()
}
