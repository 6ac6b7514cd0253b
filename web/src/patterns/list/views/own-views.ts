import type { PreferencesChange, UserPreferences } from '../../../session/user-preferences.ts'
import { parseColumns } from '../list-columns.ts'
import type { ListDefinition } from '../list-definition.ts'
import type { ListSearch } from '../list-search.ts'

/** A list that the user stored under a name, with the query of its page. */
export type StoredView = StoredList['views'][number]
export type OwnView = { name: string; search: ListSearch; stored: StoredView }
export type StoredList = UserPreferences['lists'][string]

export const maxViews = 20
export const maxNameLength = 40

const noList: StoredList = { columns: [], views: [] }

export const listOf = ({ lists }: Pick<UserPreferences, 'lists'>, name: string): StoredList => lists[name] ?? noList

export const changeList =
  (name: string, change: (list: StoredList) => StoredList): PreferencesChange =>
  (preferences) => ({ lists: { ...preferences.lists, [name]: change(listOf(preferences, name)) } })

/** A view of the same name is replaced. */
export const withView =
  (view: StoredView) =>
  (list: StoredList): StoredList => ({ ...withoutView(view.name)(list), views: [...otherViews(list, view.name), view] })

export const withoutView =
  (name: string) =>
  (list: StoredList): StoredList => ({ ...list, views: otherViews(list, name) })

export const otherViews = ({ views }: Pick<StoredList, 'views'>, name: string): StoredView[] =>
  views.filter((view) => view.name !== name)

export const toStoredView = (name: string, search: ListSearch): StoredView => ({
  name,
  search: `${new URLSearchParams(Object.entries(search) as string[][])}`,
})

/** Ignores what the list does not know, for example of an older version. */
export const parseViews = (
  { search: { parse } }: Pick<ListDefinition, 'search'>,
  { views }: Pick<StoredList, 'views'>,
): OwnView[] =>
  views.map((stored) => ({
    name: stored.name,
    search: parse(Object.fromEntries(new URLSearchParams(stored.search))),
    stored,
  }))

type ShownList = {
  definition: Pick<ListDefinition, 'search' | 'standardColumns' | 'texts'>
  search: ListSearch
  standard: string
  views: readonly OwnView[]
  columns: readonly string[]
}

/** Finds the view that shows the same as the list. */
export const findOwnView = ({ definition, search, standard, views, columns }: ShownList): OwnView | undefined => {
  const describe = (one: ListSearch, keys: readonly string[]) =>
    definition.search.describeView({ ...one, columns: keys.join() }, standard)
  const shown = describe(search, columns)
  return views.find((view) => {
    const keys = view.search.columns ? parseColumns(definition, view.search.columns) : columns
    return describe(view.search, keys) === shown
  })
}
