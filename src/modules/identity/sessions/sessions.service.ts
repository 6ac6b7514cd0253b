import type { Trace } from '#platform/access'
import { record, recordEach } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { impersonationEnded, sessionCreated, sessionRevoked } from '../identity.events.ts'
import type { SecuritySettings } from '../settings/settings.schemas.ts'
import { insertRefreshToken } from './refresh-tokens.queries.ts'
import { idleEnd } from './rotation.rules.ts'
import {
  type AuthMethod,
  findSurplusSessions,
  insertSession,
  markImpersonationsByEnded,
  markImpersonationsUnderEnded,
  markSessionsEnded,
  markSessionsOfUserEnded,
} from './sessions.queries.ts'

const maxLiveSessions = 50

export type Start = {
  id: string
  user: { id: string; name: string }
  method: AuthMethod
  /** PostgreSQL's own text of when the password that was checked had been set. */
  passwordChangedAt: string | null
  trace: Trace
  security: SecuritySettings
  signingKid: string
}

/** Opens a session with its first refresh token; undefined when the account or its password changed meanwhile. */
export async function startSession(tx: TenantTx, start: Start, now: Date) {
  const { id, user, method, trace, security } = start
  const expiresAt = daysLater(now, security.session_max_days)
  const idleExpiresAt = idleEnd(now, security.session_idle_days, expiresAt)
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
    start.passwordChangedAt,
  )
  if (!session) return undefined

  const refresh = await insertRefreshToken(tx, {
    id: newId(),
    session_id: id,
    seq: 1,
    issued_at: now,
    expires_at: idleExpiresAt,
    signing_kid: start.signingKid,
  })
  await endSurplusSessions(tx, user.id, now)
  await record(tx, 'session.created', { id, label: user.name, after: { auth_method: method } })
  await emit(tx, sessionCreated, { id }, { user_id: user.id, auth_method: method })
  return { session, refresh }
}

/** Whoever signs in once more than allowed leaves where they have not been for longest. */
async function endSurplusSessions(tx: TenantTx, userId: string, now: Date): Promise<void> {
  const surplus = await findSurplusSessions(tx, userId, maxLiveSessions, now)
  if (surplus.length)
    await endSessions(
      tx,
      surplus.map(({ id }) => id),
      'session_limit',
    )
}

/** Ends these sessions and what hangs on them; one that has ended already is left as it is. Tells how many of these ended. */
export async function endSessions(tx: TenantTx, ids: readonly string[], reason: string): Promise<number> {
  const ended = await markSessionsEnded(tx, ids, reason)
  await announceEnds(tx, ended)
  return ended.filter(({ id }) => ids.includes(id)).length
}

/** Ends every session of a person, and what others do as them or they do as others. Tells how many were their own. */
export async function endSessionsOf(
  tx: TenantTx,
  userId: string,
  reason: string,
  { except }: { except?: string } = {},
): Promise<number> {
  const ended = await markSessionsOfUserEnded(tx, userId, reason, except ?? null)
  await announceEnds(tx, ended)
  return ended.filter(({ kind }) => kind === 'user').length
}

export async function endImpersonationsBy(tx: TenantTx, userId: string, reason: string): Promise<number> {
  const ended = await markImpersonationsByEnded(tx, userId, reason)
  await announceEnds(tx, ended)
  return ended.length
}

/** What an admin does as somebody else in this session. */
export async function endImpersonationsUnder(tx: TenantTx, sessionId: string, reason: string): Promise<void> {
  await announceEnds(tx, await markImpersonationsUnderEnded(tx, sessionId, reason))
}

type Ended = {
  id: string
  user_id: string
  kind: string
  actor_user_id: string | null
  revoke_reason: string | null
}

async function announceEnds(tx: TenantTx, ended: Ended[]): Promise<void> {
  const { session = [], impersonation = [] } = Object.groupBy(ended, ({ kind }) =>
    kind === 'impersonation' ? 'impersonation' : 'session',
  )
  const noted = ({ id, revoke_reason }: Ended) => ({ id, reason: revoke_reason })
  await recordEach(tx, 'session.revoked', session.map(noted))
  await recordEach(tx, 'impersonation.ended', impersonation.map(noted))
  for (const { id, user_id, revoke_reason } of session)
    await emit(tx, sessionRevoked, { id }, { user_id, reason: revoke_reason ?? '' })
  for (const { id, user_id, actor_user_id, revoke_reason } of impersonation) {
    const data = { user_id, actor_user_id: actor_user_id!, reason: revoke_reason ?? '' }
    await emit(tx, impersonationEnded, { id }, data)
  }
}
