import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type Activity = Awaited<ReturnType<typeof recentActivityOf>>[number]

/** What a user did, newest first: not what was refused, nor what somebody else did in the user's name. */
export function recentActivityOf(tx: TenantTx, userId: string, limit: number) {
  return tx
    .selectFrom('platform.audit_log')
    .select(['action', 'resource_type', 'resource_id', labelToRead.as('resource_label'), 'created_at as occurred_at'])
    .where('user_id', '=', userId)
    .where('actor_user_id', 'is', null)
    .where('outcome', '=', 'success')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Of a row of `platform.audit_log`, in a select. */
export const labelToRead = sql<
  string | null
>`case when audit_log.redacted_at is null then audit_log.resource_label else '[erased]' end`
