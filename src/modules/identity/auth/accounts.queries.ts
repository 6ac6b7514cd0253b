import { sql } from 'kysely'
import type { Role } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { UserStatus } from '../users/users.schemas.ts'

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
      // As text: a Date would lose the microseconds, and the moment is compared exactly.
      sql<string | null>`credentials.password_changed_at::text`.as('password_changed_at'),
    ])

/** Who signs in with what. A password's hash is read here, to be checked, and never leaves the module. */
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

export const findAccountByEmail = (tx: TenantTx, email: string) =>
  selectAccounts(tx).where('person.email_key', '=', sql<string>`lower(${email})`).executeTakeFirst()

export const findAccount = (tx: TenantTx, userId: string) =>
  selectAccounts(tx).where('person.id', '=', userId).executeTakeFirst()

/** Sign-ins wait until the change is done, and then find that their password is an old one. */
export const lockAccount = (tx: TenantTx, userId: string) =>
  selectAccounts(tx).where('person.id', '=', userId).forUpdate(['person', 'credentials']).executeTakeFirst()

/** The same password, hashed at today's cost. It counts as no change. */
export async function storeRehashed(tx: TenantTx, userId: string, from: string, to: string): Promise<void> {
  await tx
    .updateTable('identity.user_credentials')
    .set({ password_hash: to })
    .where('user_id', '=', userId)
    .where('password_hash', '=', from)
    .execute()
}
