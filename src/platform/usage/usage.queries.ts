import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export const usageKinds = [
  'api_requests',
  'api_errors',
  'emails_sent',
  'ai_tokens',
  'jobs_succeeded',
  'jobs_failed',
] as const
export type UsageKind = (typeof usageKinds)[number]
export type HourlyUsage = { hour: Date } & Record<UsageKind, number>

export async function addUsage(tx: TenantTx, usage: readonly HourlyUsage[]): Promise<void> {
  const { columns, rows } = selectRows(usage, {
    hour: 'timestamptz',
    ...(Object.fromEntries(usageKinds.map((kind) => [kind, 'bigint'])) as Record<UsageKind, 'bigint'>),
  })
  await tx
    .insertInto('platform.tenant_usage')
    .columns(columns)
    .expression(rows)
    .onConflict((existing) =>
      existing
        .constraint('tenant_usage_pkey')
        .doUpdateSet(
          Object.fromEntries(
            usageKinds.map((kind) => [kind, sql`${sql.ref(`tenant_usage.${kind}`)} + ${sql.ref(`excluded.${kind}`)}`]),
          ),
        ),
    )
    .execute()
}

export function listHourlyUsage(tx: TenantTx, since: Date): Promise<HourlyUsage[]> {
  return tx
    .selectFrom('platform.tenant_usage')
    .select(['hour', ...usageKinds])
    .where('hour', '>=', since)
    .orderBy('hour')
    .execute()
}
