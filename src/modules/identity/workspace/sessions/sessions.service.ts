import type { Trace } from '#platform/access'
import { recordAudit, recordAuditEntries } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { emit, emitMany } from '#platform/outbox'
import { impersonationEnded, sessionCreated, sessionRevoked } from '../../identity.events.ts'
import { insertRefreshToken } from './refresh-tokens.queries.ts'
import { idleExpiryOf } from './rotation.rules.ts'
import {
  type AuthMethod,
  insertSession,
  listSurplusSessions,
  markAllSessionsRevoked,
  markImpersonationsOfAdminRevoked,
  markImpersonationsOfSessionRevoked,
  markPasswordSessionsRevoked,
  markSessionsOfUserRevoked,
  markSessionsRevoked,
} from './sessions.queries.ts'

const maxSessionsPerUser = 50

export type CreateSessionInput = {
  id: string
  user: { id: string; name: string }
  method: AuthMethod
  passwordChangedAt: string | null
  trace: Trace
  security: { session_max_days: number; session_idle_days: number }
  signingKid: string
}

/** Returns undefined if the account or password changed since it was checked. */
export async function createSession(tx: TenantTx, input: CreateSessionInput, now: Date) {
  const { id, user, method, trace, security } = input
  const expiresAt = daysLater(now, security.session_max_days)
  const idleExpiresAt = idleExpiryOf(now, security.session_idle_days, expiresAt)
  const session = await insertSession(
    tx,
    {
      id,
      user_id: user.id,
      auth_method: method,
      authenticated_at: now,
      ip: trace.ip,
      user_agent: trace.userAgent,
      idle_expires_at: idleExpiresAt,
      expires_at: expiresAt,
    },
    input.passwordChangedAt,
  )
  if (!session) return undefined

  const refresh = await insertRefreshToken(tx, {
    id: newId(),
    session_id: id,
    seq: 1,
    issued_at: now,
    expires_at: idleExpiresAt,
    signing_kid: input.signingKid,
  })
  await revokeSurplusSessions(tx, user.id, now)
  await recordAudit(tx, 'session.created', { id, label: user.name, after: { auth_method: method } })
  await emit(tx, sessionCreated, { id }, { user_id: user.id, auth_method: method })
  return { session, refresh }
}

async function revokeSurplusSessions(tx: TenantTx, userId: string, now: Date): Promise<void> {
  const surplus = await listSurplusSessions(tx, userId, maxSessionsPerUser, now)
  if (surplus.length)
    await revokeSessions(
      tx,
      surplus.map(({ id }) => id),
      'session_limit',
    )
}

/** Ends impersonations started from these sessions. Returns how many of `ids` were revoked. */
export async function revokeSessions(tx: TenantTx, ids: readonly string[], reason: string): Promise<number> {
  const revoked = await markSessionsRevoked(tx, ids, reason)
  await announceRevoked(tx, revoked)
  return revoked.filter(({ id }) => ids.includes(id)).length
}

/** Ends impersonations of and by the user. Returns the number of own sessions. */
export async function revokeSessionsOfUser(
  tx: TenantTx,
  userId: string,
  reason: string,
  { except }: { except?: string } = {},
): Promise<number> {
  const revoked = await markSessionsOfUserRevoked(tx, userId, reason, except ?? null)
  await announceRevoked(tx, revoked)
  return revoked.filter(({ kind }) => kind === 'user').length
}

export async function revokeImpersonationsOfAdmin(tx: TenantTx, userId: string, reason: string): Promise<number> {
  const revoked = await markImpersonationsOfAdminRevoked(tx, userId, reason)
  await announceRevoked(tx, revoked)
  return revoked.length
}

export async function revokeImpersonationsOfSession(tx: TenantTx, sessionId: string, reason: string): Promise<void> {
  await announceRevoked(tx, await markImpersonationsOfSessionRevoked(tx, sessionId, reason))
}

/** Admins keep their sessions, because they can sign in with a password even if single sign-on is enforced. */
export async function revokePasswordSessions(tx: TenantTx, reason: string): Promise<void> {
  await announceRevoked(tx, await markPasswordSessionsRevoked(tx, reason))
}

/** The caller records one audit entry, because a workspace can have thousands of sessions. */
export async function revokeSessionsOfWorkspace(
  tx: TenantTx,
  reason: string,
  kept: { except: string; now: Date },
): Promise<RevokedSession[]> {
  const revoked = await markAllSessionsRevoked(tx, reason, kept)
  await emitRevoked(tx, groupByKind(revoked))
  return revoked
}

type RevokedSession = {
  id: string
  user_id: string
  kind: string
  actor_user_id: string | null
  revoke_reason: string | null
}

async function announceRevoked(tx: TenantTx, revoked: RevokedSession[]): Promise<void> {
  const { session, impersonation } = groupByKind(revoked)
  const toAuditEntry = ({ id, revoke_reason }: RevokedSession) => ({ id, reason: revoke_reason })
  await recordAuditEntries(tx, 'session.revoked', session.map(toAuditEntry))
  await recordAuditEntries(tx, 'impersonation.ended', impersonation.map(toAuditEntry))
  await emitRevoked(tx, { session, impersonation })
}

type RevokedByKind = Record<'session' | 'impersonation', RevokedSession[]>

function groupByKind(revoked: RevokedSession[]): RevokedByKind {
  const isImpersonation = ({ kind }: RevokedSession) => kind === 'impersonation'
  return {
    session: revoked.filter((one) => !isImpersonation(one)),
    impersonation: revoked.filter(isImpersonation),
  }
}

async function emitRevoked(tx: TenantTx, { session, impersonation }: RevokedByKind): Promise<void> {
  await emitMany(
    tx,
    sessionRevoked,
    session.map(({ id, user_id, revoke_reason }) => ({
      subject: { id },
      data: { user_id, reason: revoke_reason ?? '' },
    })),
  )
  await emitMany(
    tx,
    impersonationEnded,
    impersonation.map(({ id, user_id, actor_user_id, revoke_reason }) => ({
      subject: { id },
      data: { user_id, actor_user_id: actor_user_id!, reason: revoke_reason ?? '' },
    })),
  )
}
