import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type AuthMethod = 'password' | 'google' | 'okta' | 'signup'

const passwordMethods: readonly string[] = ['password', 'signup']
export const isPasswordMethod = (method: string): boolean => passwordMethods.includes(method)

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

export type SessionRow = {
  id: string
  user_id: string
  auth_method: string
  authenticated_at: Date
  expires_at: Date
}

/**
 * Inserts a session only if the password did not change since it was checked. The shared locks wait for a concurrent
 * password change. `passwordChangedAt` is text, because a Date loses the microseconds.
 */
export async function insertSession(
  tx: TenantTx,
  session: NewSession,
  passwordChangedAt: string | null,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
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

export async function lockUserPresence(tx: TenantTx, userId: string): Promise<void> {
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

export const activeSessionsOf = (tx: TenantTx, userId: string, now: Date) =>
  tx
    .selectFrom('identity.sessions')
    .where('user_id', '=', userId)
    .where('kind', '=', 'user')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('idle_expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')

export const listSurplusSessions = (tx: TenantTx, userId: string, kept: number, now: Date) =>
  activeSessionsOf(tx, userId, now).select('id').offset(kept).execute()

const revoke = (tx: TenantTx, reason: string, condition: Expression<SqlBool>) =>
  tx
    .updateTable('identity.sessions')
    .set({ revoked_at: sql`now()`, revoke_reason: reason })
    .where(
      sql<boolean>`id = any (array(
        select id from identity.sessions where revoked_at is null and ${condition} order by id for no key update))`,
    )
    .where('revoked_at', 'is', null)
    .returning(['id', 'user_id', 'kind', 'actor_user_id', 'revoke_reason'])
    .execute()

/** Revokes the impersonation sessions too that were started from these sessions. */
export function markSessionsRevoked(tx: TenantTx, ids: readonly string[], reason: string) {
  return revoke(tx, reason, sql`(id = any (${ids}::uuid[]) or parent_session_id = any (${ids}::uuid[]))`)
}

export function markSessionsOfUserRevoked(tx: TenantTx, userId: string, reason: string, except: string | null) {
  const isOfUser = sql`(user_id = ${userId} or actor_user_id = ${userId})`
  return revoke(tx, reason, sql`${isOfUser} and id is distinct from ${except}::uuid`)
}

/** Leaves out sessions that have expired. */
export function markAllSessionsRevoked(tx: TenantTx, reason: string, { except, now }: { except: string; now: Date }) {
  return revoke(tx, reason, sql`id <> ${except} and least(expires_at, idle_expires_at) > ${now}`)
}

export function markImpersonationsOfAdminRevoked(tx: TenantTx, adminId: string, reason: string) {
  return revoke(tx, reason, sql`actor_user_id = ${adminId}`)
}

export function markImpersonationsOfSessionRevoked(tx: TenantTx, sessionId: string, reason: string) {
  return revoke(tx, reason, sql`parent_session_id = ${sessionId}`)
}

export function markPasswordSessionsRevoked(tx: TenantTx, reason: string) {
  const isOfAdmin = sql`user_id in (select id from identity.users where role = 'admin')`
  return revoke(tx, reason, sql`kind = 'user' and auth_method = any (${passwordMethods}::text[]) and not ${isOfAdmin}`)
}

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
      'person.role as user_role',
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
