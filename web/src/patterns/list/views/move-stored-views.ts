import { savePreferences } from '../../preferences/change-user-preferences.ts'
import { showRepeatableProblem } from '../../show-problem.ts'
import type { ListDefinition } from '../list-definition.ts'
import { changeList, maxViews, type StoredList, type StoredView } from './own-views.ts'
import { readStoredViews } from './read-stored-views.ts'

type Definition = Pick<ListDefinition, 'name' | 'search'>

/** Moves the views that earlier versions kept in the browser. Views without a place stay there. */
export async function moveStoredViews(definition: Definition, key: string): Promise<void> {
  const stored = readStoredViews(definition, localStorage.getItem(key))
  let left: readonly StoredView[] = []
  const add = (list: StoredList): StoredList => {
    const missing = stored.filter(({ name }) => !list.views.some((view) => view.name === name))
    left = missing.slice(maxViews - list.views.length)
    return { ...list, views: [...list.views, ...missing].slice(0, maxViews) }
  }
  try {
    if (stored.length > 0) await savePreferences(changeList(definition.name, add))
    if (left.length > 0) localStorage.setItem(key, JSON.stringify(left.map(fromStoredView)))
    else localStorage.removeItem(key)
  } catch (error) {
    showRepeatableProblem(error, () => void moveStoredViews(definition, key))
  }
}

const fromStoredView = ({ name, search }: StoredView) => ({
  name,
  search: Object.fromEntries(new URLSearchParams(search)),
})
