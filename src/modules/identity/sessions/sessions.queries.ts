import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type AuthMethod = 'password' | 'google' | 'okta' | 'signup'

export type NewSession = {
  id: string
  user_id: string
  auth_method: AuthMethod
  authenticated_at: Date
  ip: string
  user_agent: string | null
  idle_expires_at: Date
  expires_at: Date
}

export type Session = {
  id: string
  user_id: string
  auth_method: string
  authenticated_at: Date
  expires_at: Date
}

/**
 * Opens a session only if the password is still the one that was checked. The shared locks make a change of password that
 * is under way finish first: a sign-in with the old password cannot survive it. `passwordChangedAt` is PostgreSQL's own
 * text, because a Date would lose its microseconds.
 */
export async function insertSession(
  tx: TenantTx,
  session: NewSession,
  passwordChangedAt: string | null,
): Promise<Session | undefined> {
  const { rows } = await sql<Session>`
    insert into identity.sessions
      (id, user_id, auth_method, authenticated_at, ip, user_agent, last_seen_at, idle_expires_at, expires_at)
    select ${session.id}::uuid, person.id, ${session.auth_method}, ${session.authenticated_at}::timestamptz,
      ${session.ip}::inet, ${session.user_agent}::text, ${session.authenticated_at}::timestamptz,
      ${session.idle_expires_at}::timestamptz, ${session.expires_at}::timestamptz
    from identity.users person
    join identity.user_credentials credentials on credentials.user_id = person.id
    where person.id = ${session.user_id} and person.status = 'active'
      and credentials.password_changed_at is not distinct from ${passwordChangedAt}::timestamptz
    for share of person, credentials
    returning id, user_id, auth_method, authenticated_at, expires_at
  `.execute(tx)
  return rows[0]
}

/** Sign-ins of one person follow one another from here on. */
export async function lockPresence(tx: TenantTx, userId: string): Promise<void> {
  await tx.selectFrom('identity.user_presence').select('user_id').where('user_id', '=', userId).forUpdate().execute()
}

export async function markLoggedIn(tx: TenantTx, userId: string, at: Date): Promise<void> {
  await tx
    .insertInto('identity.user_presence')
    .values({ user_id: userId, last_login_at: at, last_seen_at: at })
    .onConflict((conflict) =>
      conflict.constraint('user_presence_pkey').doUpdateSet({ last_login_at: at, last_seen_at: at }),
    )
    .execute()
}

/** The sessions beyond the newest `kept`, those seen longest ago first to go. */
export function findSurplusSessions(tx: TenantTx, userId: string, kept: number, now: Date) {
  return tx
    .selectFrom('identity.sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', 'user')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('idle_expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .offset(kept)
    .execute()
}

const endedColumns = ['id', 'user_id', 'kind', 'actor_user_id', 'revoke_reason'] as const

/** A session and whatever hangs on it: an admin's session takes along what they do as somebody else. */
export function markSessionsEnded(tx: TenantTx, ids: readonly string[], reason: string) {
  return tx
    .updateTable('identity.sessions')
    .set({ revoked_at: sql`now()`, revoke_reason: reason })
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('id', 'in', ids), eb('parent_session_id', 'in', ids)]))
    .returning(endedColumns)
    .execute()
}

export function markSessionsOfUserEnded(tx: TenantTx, userId: string, reason: string, except: string | null) {
  return tx
    .updateTable('identity.sessions')
    .set({ revoked_at: sql`now()`, revoke_reason: reason })
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('actor_user_id', '=', userId)]))
    .where(sql<boolean>`id is distinct from ${except}::uuid`)
    .returning(endedColumns)
    .execute()
}

export function markImpersonationsByEnded(tx: TenantTx, adminId: string, reason: string) {
  return tx
    .updateTable('identity.sessions')
    .set({ revoked_at: sql`now()`, revoke_reason: reason })
    .where('revoked_at', 'is', null)
    .where('actor_user_id', '=', adminId)
    .returning(endedColumns)
    .execute()
}

export function markImpersonationsUnderEnded(tx: TenantTx, sessionId: string, reason: string) {
  return tx
    .updateTable('identity.sessions')
    .set({ revoked_at: sql`now()`, revoke_reason: reason })
    .where('revoked_at', 'is', null)
    .where('parent_session_id', '=', sessionId)
    .returning(endedColumns)
    .execute()
}

/** With the person it belongs to, held until the transaction ends. */
export function lockSession(tx: TenantTx, id: string) {
  return tx
    .selectFrom('identity.sessions as session')
    .innerJoin('identity.users as person', 'person.id', 'session.user_id')
    .select([
      'session.id',
      'session.user_id',
      'session.auth_method',
      'session.authenticated_at',
      'session.idle_expires_at',
      'session.expires_at',
      'session.revoked_at',
      'person.status as user_status',
      'person.email',
    ])
    .where('session.id', '=', id)
    .forUpdate('session')
    .executeTakeFirst()
}

export async function extendSession(tx: TenantTx, id: string, idleExpiresAt: Date, now: Date): Promise<void> {
  await tx
    .updateTable('identity.sessions')
    .set({ idle_expires_at: idleExpiresAt, last_seen_at: now })
    .where('id', '=', id)
    .execute()
}
