import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type RecentActivity = Awaited<ReturnType<typeof listRecentActivity>>[number]

export function listRecentActivity(tx: TenantTx, userId: string, limit: number) {
  return tx
    .selectFrom('platform.audit_log')
    .select(['action', 'resource_type', 'resource_id', visibleLabel.as('resource_label'), 'created_at as occurred_at'])
    .where('user_id', '=', userId)
    .where('actor_user_id', 'is', null)
    .where('outcome', '=', 'success')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export const visibleLabel = sql<
  string | null
>`case when audit_log.redacted_at is null then audit_log.resource_label else '[erased]' end`
