import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { SignedIn } from '#platform/access'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { lockSettings, readSettings } from '../settings/settings.queries.ts'
import { toUser } from './users.rules.ts'
import type { User } from './users.schemas.ts'

/** What the table itself says of a user: what changes are compared by, and what the audit trail keeps. */
export const userColumns = [
  'id',
  'email',
  'name',
  'role',
  'status',
  'title',
  'phone',
  'avatar_url',
  'timezone',
  'locale',
  'manager_id',
  'forecast_participant',
  'quarterly_quota_minor',
  'email_verified_at',
  'must_change_password',
  'deactivated_at',
  'notify_new_device',
  'notification_preferences',
  'source',
  'created_at',
  'updated_at',
  'version',
] as const

export type UserRow = Awaited<ReturnType<typeof lockUser>>

/** With the key lists of users are sorted by. */
export const listedColumns = [...userColumns, 'name_key'] as const

const one = sql.lit(1)

type Users = SelectQueryBuilder<
  Database,
  'identity.users',
  Pick<Selectable<Database['identity.users']>, (typeof listedColumns)[number]>
>

// As a value, since EXISTS may be answered by hashing every password of the tenant.
const hasPassword = sql<boolean>`coalesce(
  (select c.password_hash is not null from identity.user_credentials c where c.user_id = u.id), false)`
const providers = sql<
  string[]
>`array(select provider from identity.user_identities i where i.user_id = u.id order by provider)`

/**
 * Some users as people see them, before it is decided who may see what. What belongs to each is looked up one by one: the
 * planner cannot know how short a page is, and a plain join would read the whole tenant for it.
 */
export const describeUsers = (tx: TenantTx, users: Users) =>
  tx
    .selectFrom(users.as('u'))
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('identity.users as m')
          .select('m.name')
          .whereRef('m.id', '=', 'u.manager_id')
          .limit(one)
          .as('manager'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('identity.user_presence as p')
          .select(['p.last_login_at', 'p.last_seen_at'])
          .whereRef('p.user_id', '=', 'u.id')
          .limit(one)
          .as('presence'),
      (join) => join.onTrue(),
    )
    .select(listedColumns.map((column) => `u.${column}` as const))
    .select(['manager.name as manager_name', 'presence.last_login_at', 'presence.last_seen_at'])
    .select(({ selectFrom }) => [
      hasPassword.as('has_password'),
      providers.as('providers'),
      jsonArrayFrom(
        selectFrom('identity.team_members as m')
          .innerJoin('identity.teams as t', 't.id', 'm.team_id')
          .select(['t.id', 't.name', 'm.role'])
          .whereRef('m.user_id', '=', 'u.id')
          .orderBy('t.name_key'),
      ).as('teams'),
    ])

export async function getUser(tx: TenantTx, viewer: SignedIn, id: string): Promise<User> {
  const user = tx.selectFrom('identity.users').select(listedColumns).where('id', '=', id)
  const row = await describeUsers(tx, user).executeTakeFirstOrThrow(() => notFound('user'))
  return toUser(row, viewer, await currencyFor(tx, [row]))
}

/** The currency of quotas. It is asked for only where there is one. */
export async function currencyFor(tx: TenantTx, rows: { quarterly_quota_minor: number | null }[]): Promise<string> {
  const hasQuota = rows.some(({ quarterly_quota_minor }) => quarterly_quota_minor !== null)
  return hasQuota ? (await readSettings(tx, 'general')).currency : ''
}

/** The currency amounts are to be stored in. It cannot be changed until the transaction ends. */
export async function lockCurrency(tx: TenantTx): Promise<string> {
  await lockSettings(tx)
  return (await readSettings(tx, 'general')).currency
}

export function findUser(tx: TenantTx, id: string) {
  return tx.selectFrom('identity.users').select(userColumns).where('id', '=', id).executeTakeFirst()
}

export async function findUserIdByEmail(tx: TenantTx, email: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('email_key', '=', sql<string>`lower(${email})`)
    .executeTakeFirst()
  return found?.id
}

/** Nobody else changes the user until the transaction ends; records that refer to the user can still be written. */
export function lockUser(tx: TenantTx, id: string) {
  return tx
    .selectFrom('identity.users')
    .select(userColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('user'))
}

/** Undefined when someone has the address already. */
export function insertUser(tx: TenantTx, user: Insertable<Database['identity.users']>) {
  return tx
    .insertInto('identity.users')
    .values(user)
    .onConflict((conflict) => conflict.constraint('users_email_unique').doNothing())
    .returning(userColumns)
    .executeTakeFirst()
}

export async function insertCredentials(tx: TenantTx, credentials: Insertable<Database['identity.user_credentials']>) {
  await tx.insertInto('identity.user_credentials').values(credentials).execute()
}

export async function insertPresence(tx: TenantTx, userId: string) {
  await tx.insertInto('identity.user_presence').values({ user_id: userId }).execute()
}

export function changeUserFields(tx: TenantTx, id: string, changes: Updateable<Database['identity.users']>) {
  return tx
    .updateTable('identity.users')
    .set(changes)
    .where('id', '=', id)
    .returning(userColumns)
    .executeTakeFirstOrThrow()
}
