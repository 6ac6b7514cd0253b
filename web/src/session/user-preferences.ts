import type { Schemas } from '../api/client.ts'
import { queryClient } from '../api/queries.ts'
import { queryKeys } from '../api/query-keys.ts'
import { createStore, useStore } from '../api/store.ts'
import { useMe } from './me.ts'

export type UserPreferences = Schemas['Preferences']
export type PreferencesChange = (preferences: UserPreferences) => Partial<UserPreferences>

/** Changes that the server does not have yet. They are shown at once. */
export const pendingChanges = createStore<readonly PreferencesChange[]>([])

const none: UserPreferences = { focus: null, pinned: [], collapsed: [], lists: {}, version: 0 }

/** Returns the preferences with the changes of this page. `me` can be older than the last change of this page. */
export function useNavigationPreferences(): UserPreferences {
  const { preferences } = useMe()
  const saved = queryClient.getQueryData<UserPreferences>(queryKeys.preferences) ?? none
  let shown = preferences && preferences.version >= saved.version ? { ...saved, ...preferences } : saved
  for (const change of useStore(pendingChanges)) shown = { ...shown, ...change(shown) }
  return shown
}
