import { sql } from 'kysely'
import type { Role } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { UserStatus } from './users.schemas.ts'

const selectAccounts = (tx: TenantTx) =>
  tx
    .selectFrom('identity.users as person')
    .innerJoin('identity.user_credentials as credentials', 'credentials.user_id', 'person.id')
    .select([
      'person.id',
      'person.email',
      'person.name',
      sql<Role>`person.role`.as('role'),
      sql<UserStatus>`person.status`.as('status'),
      'person.source',
      'person.must_change_password',
      'person.email_verified_at',
      'person.notify_new_device',
      'credentials.password_hash',
      'credentials.temporary_expires_at',
      // Selected as text: it is compared exactly and a Date loses the microseconds.
      sql<string | null>`credentials.password_changed_at::text`.as('password_changed_at'),
    ])

/** User with credentials. The password hash must not leave the module. */
export type LoginAccount = NonNullable<Awaited<ReturnType<typeof findLoginAccount>>>

export const findLoginAccountByEmail = (tx: TenantTx, emailKey: string) =>
  selectAccounts(tx).where('person.email_key', '=', emailKey).executeTakeFirst()

export const findLoginAccount = (tx: TenantTx, userId: string) =>
  selectAccounts(tx).where('person.id', '=', userId).executeTakeFirst()

/** Blocks sign-ins until the password change is committed. Rows that refer to the user can still be inserted. */
export const lockLoginAccount = (tx: TenantTx, userId: string) =>
  selectAccounts(tx).where('person.id', '=', userId).forNoKeyUpdate(['person', 'credentials']).executeTakeFirst()

/** Stores the same password with a stronger hash; `password_changed_at` stays. */
export async function replacePasswordHash(tx: TenantTx, userId: string, from: string, to: string): Promise<void> {
  await tx
    .updateTable('identity.user_credentials')
    .set({ password_hash: to })
    .where('user_id', '=', userId)
    .where('password_hash', '=', from)
    .execute()
}
