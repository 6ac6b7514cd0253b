import { sql } from 'kysely'
import { type RecordRule, selectNewestIds } from '#modules/crm'
import { listTenantsAsRetention, type SystemTx, type TenantTx } from '#platform/db'
import type { RuleContext } from '#platform/rules'

export const listTenantsToCount = (system: SystemTx, now: Date): Promise<string[]> =>
  listTenantsAsRetention(system, async (tx) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select distinct tenant_id from marketing.segment_counts where due_at <= ${now}
    `.execute(tx)
    return rows.map(({ tenant_id }) => tenant_id)
  })

/** Lists changed segments first, because their due time is the epoch. */
export async function listSegmentsToCount(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.segment_counts')
    .select('segment_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('segment_id')
    .limit(limit)
    .execute()
  return rows.map(({ segment_id }) => segment_id)
}

export type DueCount = { segment_id: string; changes: number; is_changed: boolean }

export const findDueCount = (tx: TenantTx, segmentId: string): Promise<DueCount | undefined> =>
  tx
    .selectFrom('marketing.segment_counts')
    .select(['segment_id', 'changes', sql<boolean>`due_at = 'epoch'`.as('is_changed')])
    .where('segment_id', '=', segmentId)
    .executeTakeFirst()

export type MemberCount = { member_count: number | null; relation: 'eq' | 'gte' | null }

/** A segment that changed during the count stays due. */
export async function storeCount(
  tx: TenantTx,
  { segment_id, changes }: DueCount,
  { member_count, relation }: MemberCount,
  { countedAt, dueAt }: { countedAt: Date; dueAt: Date },
): Promise<void> {
  await tx
    .updateTable('marketing.segment_counts')
    .set({ member_count, relation, counted_at: countedAt, due_at: dueAt })
    .where('segment_id', '=', segment_id)
    .where('changes', '=', changes)
    .execute()
}

const newestRecords = 5_000

/** Counts the members among the newest records only: a lower bound in bounded time. */
export async function countNewestMembers(tx: TenantTx, rule: RecordRule, context: RuleContext): Promise<number> {
  const { matching } = selectNewestIds(rule, context, newestRecords)
  const { members } = await tx
    .selectFrom(sql<{ id: string }>`(${matching})`.as('matching'))
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .executeTakeFirstOrThrow()
  return members
}
