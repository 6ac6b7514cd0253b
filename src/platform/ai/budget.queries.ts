import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** What a call may use up, and in which month. */
export type Booking = { month: string; tokens: number }

/** In one statement, so that of calls at the same moment only as many are booked as fit. Tells whether this one is. Null is no limit. */
export async function book(tx: TenantTx, { month, tokens }: Booking, limit: number | null): Promise<boolean> {
  if (limit !== null && tokens > limit) return false
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('platform.ai_usage')
    .values({ month, tokens })
    .onConflict((existing) =>
      existing
        .constraint('ai_usage_pkey')
        .doUpdateSet({ tokens: sql`ai_usage.tokens + excluded.tokens` })
        .where(sql<boolean>`${limit}::bigint is null or ai_usage.tokens + excluded.tokens <= ${limit}::bigint`),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Puts what was really used in the place of what was booked. */
export async function settle(tx: TenantTx, { month, tokens }: Booking, used: number): Promise<void> {
  await tx
    .updateTable('platform.ai_usage')
    .set({ tokens: sql`greatest(tokens + ${used - tokens}::bigint, 0)` })
    .where('month', '=', month)
    .execute()
}
