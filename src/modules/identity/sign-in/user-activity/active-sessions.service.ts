import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { listOnlineUsers } from './active-sessions.queries.ts'

export async function listActiveSessions(
  tx: TenantTx,
  { threshold_seconds, ...page }: PageQuery & { threshold_seconds?: number },
  now: Date,
) {
  const threshold = threshold_seconds ?? (await readSettings(tx, 'security')).activity_threshold_seconds
  const online = await listOnlineUsers(tx, { now, since: secondsLater(now, -threshold) }, page)
  return { ...online, threshold_seconds: threshold, as_of: now }
}
