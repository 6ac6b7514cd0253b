import type { TenantTx } from '#platform/db'

export async function readCreditsUsed(tx: TenantTx, month: string): Promise<number> {
  const row = await tx
    .selectFrom('marketing.enrichment_usage')
    .select('credits_used')
    .where('month', '=', month)
    .executeTakeFirst()
  return row?.credits_used ?? 0
}
