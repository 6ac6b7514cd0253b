import { sql } from 'kysely'
import type { Role } from '#platform/access'
import type { TenantTx } from '#platform/db'

export type FileReaderUser = { role: Role; hasSession: boolean }

/** Returns an active user; `hasSession` is false if all sessions that existed when a ticket was issued have ended. */
export async function findFileReader(
  tx: TenantTx,
  userId: string,
  ticketIssuedAt: Date | null,
): Promise<FileReaderUser | undefined> {
  const user = await tx
    .selectFrom('identity.users as user')
    .select('user.role')
    .select(
      sql<boolean>`exists (select from identity.sessions session where session.user_id = "user".id
        and session.revoked_at is null and session.authenticated_at <= ${ticketIssuedAt}::timestamptz)`.as(
        'has_session',
      ),
    )
    .where('user.id', '=', userId)
    .where('user.status', '=', 'active')
    .executeTakeFirst()
  return user && { role: user.role as Role, hasSession: user.has_session }
}
