import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type UserStats = {
  by_status: Record<string, number>
  by_role: Record<string, number>
  active_24h: number
  active_30d: number
  sessions_live: number
  api_keys_live: number
}

/** Erased users are counted by status only. */
export async function readUserStats(tx: TenantTx, now: Date): Promise<UserStats> {
  const { rows } = await sql<UserStats>`
    select
      (select coalesce(json_object_agg(status, n), '{}') from
        (select status, count(*)::integer as n from identity.users group by status) as statuses) as by_status,
      (select coalesce(json_object_agg(role, n), '{}') from
        (select role, count(*)::integer as n from identity.users where status <> 'erased' group by role) as roles) as by_role,
      (select count(*)::integer from identity.user_presence
        where last_seen_at > ${now}::timestamptz - interval '24 hours') as active_24h,
      (select count(*)::integer from identity.user_presence
        where last_seen_at > ${now}::timestamptz - interval '30 days') as active_30d,
      (select count(*)::integer from identity.sessions
        where revoked_at is null and least(expires_at, idle_expires_at) > ${now}::timestamptz) as sessions_live,
      (select count(*)::integer from identity.api_keys
        where revoked_at is null and (expires_at is null or expires_at > ${now}::timestamptz)) as api_keys_live
  `.execute(tx)
  return rows[0]!
}
