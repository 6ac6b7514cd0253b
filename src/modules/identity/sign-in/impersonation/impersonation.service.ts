import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { sendSecurityNoticeLater } from '../../credentials/emails/emails.jobs.ts'
import { revokedToken, type TokenService } from '../../credentials/tokens/tokens.ts'
import { impersonationStarted } from '../../identity.events.ts'
import { lockSession } from '../../workspace/sessions/sessions.queries.ts'
import { revokeImpersonationsOfSession } from '../../workspace/sessions/sessions.service.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { recordLoginEvent } from '../login/login-events.service.ts'
import { endImpersonationLater } from './impersonation.jobs.ts'
import { insertImpersonationSession, lockUsersShared } from './impersonation.queries.ts'
import { assertCanImpersonate, assertImpersonationEnabled } from './impersonation.rules.ts'
import type { Impersonation, NewImpersonation } from './impersonation.schemas.ts'

const defaultSeconds = 1_800

type ImpersonationContext = { tokens: TokenService; now: Date }
type LockedUser = Awaited<ReturnType<typeof lockUsersShared>>[number]

export async function impersonateUser(
  tx: TenantTx,
  actor: UserActor,
  userId: string,
  { reason, duration_seconds = defaultSeconds }: NewImpersonation,
  { tokens, now }: ImpersonationContext,
): Promise<Impersonation> {
  const security = await readSettings(tx, 'security')
  assertImpersonationEnabled(security)
  const users = await lockUsersShared(tx, [actor.userId, userId])
  const [admin, target] = [actor.userId, userId].map((id) => users.find((user) => user.id === id))
  if (!target) throw notFound('user')
  assertCanImpersonate(admin, target, security)

  const session = await startImpersonation(tx, actor, target, { reason, seconds: duration_seconds, now })
  if (security.impersonation_notify)
    await sendSecurityNoticeLater(tx, target.id, 'impersonated', { by: admin!.name, reason })
  return {
    access_token: await tokens.signAccessToken({ ...session, tenantId: actor.tenantId, method: 'impersonation' }),
    refresh_token: null,
    token_type: 'Bearer',
    expires_in: Math.floor((session.expiresAt.getTime() - now.getTime()) / 1_000),
    must_change_password: false,
    session_id: session.sessionId,
    user: { id: target.id, email: target.email, name: target.name, role: target.role },
  }
}

type ImpersonationOptions = { reason: string; seconds: number; now: Date }

/** Locks the admin's session, so that it has at most one impersonation and none after it was revoked. */
async function startImpersonation(
  tx: TenantTx,
  actor: UserActor,
  target: LockedUser,
  { reason, seconds, now }: ImpersonationOptions,
) {
  const parent = await lockSession(tx, actor.sessionId!)
  if (!parent || parent.revoked_at) throw revokedToken()
  await revokeImpersonationsOfSession(tx, parent.id, 'replaced')

  const { userId: adminId, trace } = actor
  const id = newId()
  const expiresAt = new Date(Math.min(secondsLater(now, seconds).getTime(), parent.expires_at.getTime()))
  await insertImpersonationSession(tx, {
    id,
    user_id: target.id,
    actor_user_id: adminId,
    parent_session_id: parent.id,
    authenticated_at: parent.authenticated_at,
    reason,
    ip: trace!.ip,
    user_agent: trace!.userAgent,
    started_at: now,
    expires_at: expiresAt,
  })
  await endImpersonationLater(tx, id, expiresAt)
  await announceStart(tx, { id, adminId, target, reason, expiresAt })
  return {
    sessionId: id,
    userId: target.id,
    actorUserId: adminId,
    authenticatedAt: parent.authenticated_at,
    expiresAt,
  }
}

type StartedImpersonation = { id: string; adminId: string; target: LockedUser; reason: string; expiresAt: Date }

async function announceStart(
  tx: TenantTx,
  { id, adminId, target, reason, expiresAt }: StartedImpersonation,
): Promise<void> {
  const { id: userId, email, name } = target
  const login = { userId, email, outcome: 'success', method: 'impersonation', sessionId: id } as const
  await recordLoginEvent(tx, { ...login, actorUserId: adminId })
  await recordAudit(tx, 'impersonation.started', {
    id,
    label: name,
    reason,
    after: { user_id: userId, expires_at: expiresAt },
  })
  const data = { user_id: userId, actor_user_id: adminId, reason, expires_at: expiresAt.toISOString() }
  await emit(tx, impersonationStarted, { id }, data)
}
