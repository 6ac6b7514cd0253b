import { createStore } from '../../../api/store.ts'
import { describeView, type LeadSearch, type LeadView, parseLeadSearch, viewPart } from '../lead-search.ts'

/** A list that the user stored under a name. It is kept in this browser and contains no data of the workspace. */
export type OwnView = { name: string; search: LeadSearch }

const maxViews = 20
export const maxNameLength = 40
const keyOf = (userId: string) => `views:leads:${userId}`

export const ownViews = createStore<readonly OwnView[]>([])

export function readOwnViews(userId: string): void {
  ownViews.set(parseViews(localStorage.getItem(keyOf(userId))))
}

/** Ignores what is not a view, for example of an older version. */
export function parseViews(text: string | null): OwnView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored)
      ? stored
          .filter((view) => typeof view?.name === 'string' && typeof view.search === 'object')
          .map(({ name, search }) => ({ name, search: parseLeadSearch(search ?? {}) }))
          .slice(0, maxViews)
      : []
  } catch {
    return []
  }
}

/** Stores the list under the name. A view of the same name is replaced. */
export function saveOwnView(userId: string, name: string, search: LeadSearch): void {
  const others = ownViews.get().filter((view) => view.name !== name)
  writeOwnViews(userId, [...others.slice(1 - maxViews), { name, search: viewPart(search) }])
}

export const deleteOwnView = (userId: string, name: string): void =>
  writeOwnViews(
    userId,
    ownViews.get().filter((view) => view.name !== name),
  )

function writeOwnViews(userId: string, views: readonly OwnView[]): void {
  localStorage.setItem(keyOf(userId), JSON.stringify(views))
  ownViews.set(views)
}

export const findOwnView = (views: readonly OwnView[], search: LeadSearch, standard: LeadView): OwnView | undefined =>
  views.find((view) => describeView(view.search, standard) === describeView(search, standard))
