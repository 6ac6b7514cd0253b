import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { sendSecurityNoticeLater } from '../auth/auth.jobs.ts'
import { recordLogin } from '../auth/login-events.service.ts'
import { revokedToken, type Tokens } from '../auth/tokens.ts'
import { impersonationStarted } from '../identity.events.ts'
import { lockSession } from '../sessions/sessions.queries.ts'
import { endImpersonationsUnder } from '../sessions/sessions.service.ts'
import { readSettings } from '../settings/settings.queries.ts'
import { endImpersonationLater } from './impersonation.jobs.ts'
import { holdPeople, insertImpersonation } from './impersonation.queries.ts'
import { assertImpersonationEnabled, assertMayActAs } from './impersonation.rules.ts'
import type { Impersonating, Impersonation } from './impersonation.schemas.ts'

const usualSeconds = 1_800

type Circumstances = { tokens: Tokens; now: Date }
type Person = Awaited<ReturnType<typeof holdPeople>>[number]

/** Lets an admin see and do what somebody else does, for a while. It hangs on the admin's session and ends with it. */
export async function actAsUser(
  tx: TenantTx,
  actor: SignedIn,
  userId: string,
  { reason, duration_seconds = usualSeconds }: Impersonating,
  { tokens, now }: Circumstances,
): Promise<Impersonation> {
  const security = await readSettings(tx, 'security')
  assertImpersonationEnabled(security)
  const people = await holdPeople(tx, [actor.userId, userId])
  const [admin, target] = [actor.userId, userId].map((id) => people.find((person) => person.id === id))
  if (!target) throw notFound('user')
  assertMayActAs(admin, target, security)

  const session = await startImpersonation(tx, actor, target, { reason, seconds: duration_seconds, now })
  if (security.impersonation_notify)
    await sendSecurityNoticeLater(tx, target.id, 'impersonated', { by: admin!.name, reason })
  return {
    access_token: await tokens.signAccess({ ...session, tenantId: actor.tenantId, method: 'impersonation' }),
    refresh_token: null,
    token_type: 'Bearer',
    expires_in: Math.floor((session.expiresAt.getTime() - now.getTime()) / 1_000),
    must_change_password: false,
    session_id: session.sessionId,
    user: { id: target.id, email: target.email, name: target.name, role: target.role },
  }
}

type Plan = { reason: string; seconds: number; now: Date }

/** The admin's session is held, so that it has one impersonation at most and none after its own end. */
async function startImpersonation(tx: TenantTx, actor: SignedIn, target: Person, { reason, seconds, now }: Plan) {
  const parent = await lockSession(tx, actor.sessionId!)
  if (!parent || parent.revoked_at) throw revokedToken()
  await endImpersonationsUnder(tx, parent.id, 'replaced')

  const { userId: adminId, trace } = actor
  const id = newId()
  const expiresAt = new Date(Math.min(secondsLater(now, seconds).getTime(), parent.expires_at.getTime()))
  await insertImpersonation(tx, {
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

type Started = { id: string; adminId: string; target: Person; reason: string; expiresAt: Date }

async function announceStart(tx: TenantTx, { id, adminId, target, reason, expiresAt }: Started): Promise<void> {
  const { id: userId, email, name } = target
  const login = { userId, email, outcome: 'success', method: 'impersonation', sessionId: id } as const
  await recordLogin(tx, { ...login, actorUserId: adminId })
  await record(tx, 'impersonation.started', {
    id,
    label: name,
    reason,
    after: { user_id: userId, expires_at: expiresAt },
  })
  const data = { user_id: userId, actor_user_id: adminId, reason, expires_at: expiresAt.toISOString() }
  await emit(tx, impersonationStarted, { id }, data)
}
