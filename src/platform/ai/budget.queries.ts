import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type TokenReservation = { month: string; tokens: number }

/** Reserves tokens in one statement, so that concurrent calls cannot exceed the limit. Returns false if the limit is reached; null means no limit. */
export async function reserveTokens(
  tx: TenantTx,
  { month, tokens }: TokenReservation,
  limit: number | null,
): Promise<boolean> {
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

export async function settleReservation(
  tx: TenantTx,
  { month, tokens }: TokenReservation,
  used: number,
): Promise<void> {
  await tx
    .updateTable('platform.ai_usage')
    .set({ tokens: sql`greatest(tokens + ${used - tokens}::bigint, 0)` })
    .where('month', '=', month)
    .execute()
}
