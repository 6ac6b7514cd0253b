import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useStore } from '../../api/store.ts'
import { useMe } from '../../session/me.ts'
import { pendingChanges } from '../../session/user-preferences.ts'
import { changeLater } from '../preferences/change-later.ts'
import { preferencesQuery } from '../preferences/preferences-query.ts'
import type { ListDefinition } from './list-definition.ts'
import { changeList, listOf, parseViews, type StoredList } from './views/own-views.ts'

/** The columns and own views of a list. Rows wait for them once, so that columns do not change while they are read. */
export function useListPreferences(definition: Pick<ListDefinition, 'name' | 'search'>) {
  const { name } = definition
  const { id, impersonation } = useMe()
  const { data, failureCount } = useQuery(preferencesQuery)
  let shown = data
  for (const change of useStore(pendingChanges)) shown &&= { ...shown, ...change(shown) }
  const list = listOf(shown ?? { lists: {} }, name)
  const hasData = data !== undefined
  useEffect(() => {
    const key = `views:${name}:${id}`
    if (hasData && !impersonation && localStorage.getItem(key))
      void import('./views/move-stored-views.ts')
        .then(({ moveStoredViews }) => moveStoredViews(definition, key))
        .catch(ignore)
  }, [hasData])
  return {
    columns: list.columns.join(),
    views: parseViews(definition, list),
    isKnown: hasData || failureCount > 0,
    change: (update: (before: StoredList) => StoredList) => void changeLater(changeList(name, update)),
  }
}

/** The views stay in the browser and are moved the next time. */
const ignore = () => undefined
