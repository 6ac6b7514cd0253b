import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { UserActor } from '#platform/access'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { lockSettings, readSettings } from '../settings/settings.queries.ts'
import { canSeePrivateFields, toUser } from './users.rules.ts'
import type { User } from './users.schemas.ts'

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

export const userListColumns = [...userColumns, 'name_key'] as const

const oneRow = sql.lit(1)
const maxNotifiedManagers = 20

type UsersQuery = SelectQueryBuilder<
  Database,
  'identity.users',
  Pick<Selectable<Database['identity.users']>, (typeof userListColumns)[number]>
>

// A scalar subquery, because the planner may run EXISTS as a hash over all credentials of the tenant.
const hasPassword = sql<boolean>`coalesce(
  (select c.password_hash is not null from identity.user_credentials c where c.user_id = u.id), false)`
const providers = sql<
  string[]
>`array(select provider from identity.user_identities i where i.user_id = u.id order by provider)`

/** Adds related data with lateral joins: the planner does not know how short a page is and would join the whole tenant. */
export const selectUserDetails = (tx: TenantTx, users: UsersQuery) =>
  tx
    .selectFrom(users.as('u'))
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('identity.users as m')
          .select('m.name')
          .whereRef('m.id', '=', 'u.manager_id')
          .limit(oneRow)
          .as('manager'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('identity.user_presence as p')
          .select(['p.last_login_at', 'p.last_seen_at'])
          .whereRef('p.user_id', '=', 'u.id')
          .limit(oneRow)
          .as('presence'),
      (join) => join.onTrue(),
    )
    .select(userListColumns.map((column) => `u.${column}` as const))
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

export async function getUser(tx: TenantTx, viewer: UserActor, id: string): Promise<User> {
  const [user] = await listUsersById(tx, [id], canSeePrivateFields(viewer, id))
  if (!user) throw notFound('user')
  return user
}

export async function listUsersById(tx: TenantTx, ids: readonly string[], canSeePrivate: boolean): Promise<User[]> {
  const users = tx
    .selectFrom('identity.users')
    .select(userListColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
  const rows = await selectUserDetails(tx, users).execute()
  const currency = await currencyForQuotas(tx, rows)
  return rows.map((row) => toUser(row, canSeePrivate, currency))
}

export async function currencyForQuotas(
  tx: TenantTx,
  rows: { quarterly_quota_minor: number | null }[],
): Promise<string> {
  const hasQuota = rows.some(({ quarterly_quota_minor }) => quarterly_quota_minor !== null)
  return hasQuota ? (await readSettings(tx, 'general')).currency : ''
}

/** Returns the currency that amounts are stored in and locks it until the transaction ends. */
export async function lockBaseCurrency(tx: TenantTx): Promise<string> {
  await lockSettings(tx)
  return (await readSettings(tx, 'general')).currency
}

export function findUser(tx: TenantTx, id: string) {
  return tx.selectFrom('identity.users').select(userColumns).where('id', '=', id).executeTakeFirst()
}

export async function findUserIdByEmail(tx: TenantTx, email: string): Promise<string | undefined> {
  const user = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('email_key', '=', sql<string>`lower(${email})`)
    .executeTakeFirst()
  return user?.id
}

export async function listActiveAdminIds(tx: TenantTx): Promise<string[]> {
  const admins = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('role', '=', sql.lit('admin'))
    .where('status', '=', sql.lit('active'))
    .execute()
  return admins.map(({ id }) => id)
}

/** Managers and admins, the ones who joined first if there are many. */
export async function listManagerIdsToNotify(tx: TenantTx): Promise<string[]> {
  const managers = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('role', 'in', [sql.lit('admin'), sql.lit('manager')])
    .where('status', '=', sql.lit('active'))
    .orderBy('id')
    .limit(sql.lit(maxNotifiedManagers))
    .execute()
  return managers.map(({ id }) => id)
}

/** FOR NO KEY UPDATE: records that refer to the user can still be inserted. */
export function lockUser(tx: TenantTx, id: string) {
  return tx
    .selectFrom('identity.users')
    .select(userColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('user'))
}

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

export function updateUserRow(tx: TenantTx, id: string, changes: Updateable<Database['identity.users']>) {
  return tx
    .updateTable('identity.users')
    .set(changes)
    .where('id', '=', id)
    .returning(userColumns)
    .executeTakeFirstOrThrow()
}
