import { canCoach, listLedUserIds, mayReadPrivate } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { SessionRow } from './session-row.ts'
import { findSession, lockSession, type SessionViewer } from './sessions.queries.ts'

export async function readSessionViewer(tx: TenantTx, actor: UserActor): Promise<SessionViewer> {
  const { userId } = actor
  const viewer = { userId, seesPrivate: mayReadPrivate(actor) }
  return isManagerOrAdmin(actor.role)
    ? { ...viewer, seesAll: true, ledUserIds: [] }
    : { ...viewer, seesAll: false, ledUserIds: await listLedUserIds(tx, userId) }
}

/** Same condition as the scans of `listSessionRows`. A private session does not exist for others, not even for admins. */
async function canSeeSession(tx: TenantTx, actor: UserActor, session: SessionRow): Promise<boolean> {
  if (session.rep_id === actor.userId) return !session.is_private || mayReadPrivate(actor)
  return !session.is_private && (session.coach_id === actor.userId || (await canCoach(tx, actor, session.rep_id)))
}

export async function getVisibleSession(tx: TenantTx, actor: UserActor, id: string): Promise<SessionRow> {
  const session = await findSession(tx, id)
  if (!session || !(await canSeeSession(tx, actor, session))) throw notFound('session')
  return session
}

export async function lockVisibleSession(tx: TenantTx, actor: UserActor, id: string): Promise<SessionRow> {
  const session = await lockSession(tx, id)
  if (!(await canSeeSession(tx, actor, session))) throw notFound('session')
  return session
}
