import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { findPreferences, lockPreferences, navigationDefaults, updatePreferencesRow } from './preferences.queries.ts'
import type { Preferences, ReplacedPreferences } from './preferences.schemas.ts'

export const getPreferences = async (tx: TenantTx, { userId }: UserActor): Promise<Preferences> =>
  (await findPreferences(tx, userId)) ?? { ...navigationDefaults, lists: {} }

type ReplacePreferencesInput = { preferences: ReplacedPreferences; expectedVersion?: number }

/** Not audited and emits no event, because how an application looks to a user is private to the user. */
export async function replacePreferences(
  tx: TenantTx,
  { userId }: UserActor,
  { preferences, expectedVersion }: ReplacePreferencesInput,
): Promise<Preferences> {
  const stored = await lockPreferences(tx, userId)
  assertVersion(stored, expectedVersion)
  return await updatePreferencesRow(tx, userId, { ...preferences, version: stored.version + 1 })
}
