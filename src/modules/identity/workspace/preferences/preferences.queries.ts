import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { NavigationPreferences, Preferences, ReplacedPreferences } from './preferences.schemas.ts'

const navigationColumns = ['focus', 'pinned', 'collapsed', 'version'] as const
const columns = [...navigationColumns, 'lists'] as const

export const findPreferences = (tx: TenantTx, userId: string): Promise<Preferences | undefined> =>
  tx
    .selectFrom('identity.user_preferences')
    .select(columns)
    .where('user_id', '=', userId)
    .$narrowType<Preferences>()
    .executeTakeFirst()

export const findNavigationPreferences = (tx: TenantTx, userId: string): Promise<NavigationPreferences | undefined> =>
  tx
    .selectFrom('identity.user_preferences')
    .select(navigationColumns)
    .where('user_id', '=', userId)
    .$narrowType<NavigationPreferences>()
    .executeTakeFirst()

/** Inserts the row before the first change, so that two first changes wait for each other. */
export async function lockPreferences(tx: TenantTx, userId: string): Promise<{ version: number }> {
  await tx
    .insertInto('identity.user_preferences')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doNothing())
    .execute()
  return await tx
    .selectFrom('identity.user_preferences')
    .select('version')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

type StoredPreferences = Preferences & { user_id: string }

/** In the order of the users, to avoid deadlocks. */
export const lockPreferencesOf = (tx: TenantTx, userIds: readonly string[]): Promise<StoredPreferences[]> =>
  tx
    .selectFrom('identity.user_preferences')
    .select([...columns, 'user_id'])
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .orderBy('user_id')
    .forUpdate()
    .$narrowType<StoredPreferences>()
    .execute()

export const updatePreferencesRow = (
  tx: TenantTx,
  userId: string,
  { lists, ...fields }: ReplacedPreferences & { version: number },
): Promise<Preferences> =>
  tx
    .updateTable('identity.user_preferences')
    .set({ ...fields, lists: JSON.stringify(lists) })
    .where('user_id', '=', userId)
    .returning(columns)
    .$narrowType<Preferences>()
    .executeTakeFirstOrThrow()

export async function deletePreferencesRow(tx: TenantTx, userId: string): Promise<void> {
  await tx.deleteFrom('identity.user_preferences').where('user_id', '=', userId).execute()
}

export const navigationDefaults: NavigationPreferences = { focus: null, pinned: [], collapsed: [], version: 0 }

export const getNavigationPreferences = async (tx: TenantTx, userId: string): Promise<NavigationPreferences> =>
  (await findNavigationPreferences(tx, userId)) ?? navigationDefaults
