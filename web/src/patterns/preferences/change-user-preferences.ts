import { api, ifMatch, read } from '../../api/client.ts'
import { isProblem } from '../../api/problem.ts'
import { queryClient } from '../../api/queries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { type Me, storeMe } from '../../session/me.ts'
import { type PreferencesChange, pendingChanges, type UserPreferences } from '../../session/user-preferences.ts'
import { showRepeatableProblem } from '../show-problem.ts'
import { preferencesQuery } from './preferences-query.ts'

const maxAttempts = 3
let lastChange = Promise.resolve()

/**
 * Shows a change of the preferences and saves it after the ones before it. After a change in another tab it is applied to what
 * that tab has stored. While acting as another user it is only shown, because the server accepts no change then.
 */
export function changeUserPreferences(change: PreferencesChange): Promise<void> {
  pendingChanges.set([...pendingChanges.get(), change])
  if (queryClient.getQueryData<Me>(queryKeys.me)?.impersonation) return lastChange
  return savePreferences(change)
    .catch((error) => showRepeatableProblem(error, () => void changeUserPreferences(change)))
    .finally(() => pendingChanges.set(pendingChanges.get().filter((one) => one !== change)))
}

/** Saves a change after the ones before it. */
export function savePreferences(change: PreferencesChange): Promise<void> {
  const saving = lastChange.then(() => save(change))
  lastChange = saving.catch(() => undefined)
  return saving
}

async function save(change: PreferencesChange): Promise<void> {
  const saved = await replacePreferences(change, maxAttempts)
  queryClient.setQueryData(queryKeys.preferences, saved)
  const { lists: _, ...preferences } = saved
  const me = queryClient.getQueryData<Me>(queryKeys.me)
  if (me) storeMe({ ...me, preferences })
}

async function replacePreferences(change: PreferencesChange, attempts: number): Promise<UserPreferences> {
  const { version, ...current } = await queryClient.ensureQueryData(preferencesQuery)
  const { version: _, ...changes } = change({ ...current, version })
  try {
    return await read(api.PUT('/api/auth/preferences', { headers: ifMatch(version), body: { ...current, ...changes } }))
  } catch (error) {
    if (attempts === 1 || !isProblem(error, 'version_mismatch')) throw error
    await queryClient.fetchQuery({ ...preferencesQuery, staleTime: 0 })
    return await replacePreferences(change, attempts - 1)
  }
}
