import type { UserActor } from '#platform/access'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notFound, roleRequired } from '#platform/errors'
import type { PageQuery } from '#platform/schema'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { findUser } from '../../workspace/user-records/users.queries.ts'
import { canSeePrivateFields } from '../../workspace/user-records/users.rules.ts'
import { listOnlineUsers } from './active-sessions.queries.ts'
import { listLoginRows } from './login-history.queries.ts'

export async function listActiveSessions(
  tx: TenantTx,
  { threshold_seconds, ...page }: PageQuery & { threshold_seconds?: number },
  now: Date,
) {
  const threshold = threshold_seconds ?? (await readSettings(tx, 'security')).activity_threshold_seconds
  const online = await listOnlineUsers(tx, { now, since: secondsLater(now, -threshold) }, page)
  return { ...online, threshold_seconds: threshold, as_of: now }
}

export async function listUserLogins(tx: TenantTx, viewer: UserActor, userId: string, page: PageQuery) {
  if (!canSeePrivateFields(viewer, userId)) throw roleRequired('Only the user and admins can see these sign-ins.')
  if (!(await findUser(tx, userId))) throw notFound('user')

  return await listLoginRows(tx, userId, page)
}
