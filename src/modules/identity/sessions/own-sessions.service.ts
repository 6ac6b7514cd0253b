import type { SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { listLiveSessions } from './own-sessions.queries.ts'
import { endSessions } from './sessions.service.ts'

/** At most fifty, so they are never paged. */
export async function listOwnSessions(tx: TenantTx, { userId, sessionId }: SignedIn, now: Date) {
  const sessions = await listLiveSessions(tx, userId, now)
  const items = sessions.map((session) => ({ ...session, current: session.id === sessionId }))
  return { items, total: items.length }
}

/** Somebody else's session does not exist, nor does one that has ended. */
export async function endOwnSession(tx: TenantTx, { userId }: SignedIn, id: string, now: Date): Promise<void> {
  const sessions = await listLiveSessions(tx, userId, now)
  const isOwn = sessions.some((session) => session.id === id)
  if (!isOwn || !(await endSessions(tx, [id], 'revoked_by_user'))) throw notFound('session')
}

export async function endOtherSessions(tx: TenantTx, { userId, sessionId }: SignedIn, now: Date) {
  const sessions = await listLiveSessions(tx, userId, now)
  const others = sessions.map(({ id }) => id).filter((id) => id !== sessionId)
  return { sessions_revoked: others.length ? await endSessions(tx, others, 'revoked_by_user') : 0 }
}
