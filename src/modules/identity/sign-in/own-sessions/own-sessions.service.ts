import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { revokeSessions } from '../../workspace/sessions/sessions.service.ts'
import { listActiveSessionRows } from './own-sessions.queries.ts'

/** Not paged: a user has at most 50 sessions. */
export async function listOwnSessions(tx: TenantTx, { userId, sessionId }: UserActor, now: Date) {
  const sessions = await listActiveSessionRows(tx, userId, now)
  const items = sessions.map((session) => ({ ...session, current: session.id === sessionId }))
  return { items, total: items.length }
}

export async function revokeOwnSession(tx: TenantTx, { userId }: UserActor, id: string, now: Date): Promise<void> {
  const sessions = await listActiveSessionRows(tx, userId, now)
  const isOwn = sessions.some((session) => session.id === id)
  if (!isOwn || !(await revokeSessions(tx, [id], 'revoked_by_user'))) throw notFound('session')
}

export async function revokeOtherSessions(tx: TenantTx, { userId, sessionId }: UserActor, now: Date) {
  const sessions = await listActiveSessionRows(tx, userId, now)
  const others = sessions.map(({ id }) => id).filter((id) => id !== sessionId)
  return { sessions_revoked: others.length ? await revokeSessions(tx, others, 'revoked_by_user') : 0 }
}
