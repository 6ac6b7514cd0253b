import type { ListDefinition } from '../list-definition.ts'
import { maxViews, type StoredView, toStoredView } from './own-views.ts'

/** Ignores what is not a view. */
export function readStoredViews({ search }: Pick<ListDefinition, 'search'>, text: string | null): StoredView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored)
      ? stored
          .filter((view) => typeof view?.name === 'string' && view.search !== null && typeof view.search === 'object')
          .map(({ name, search: shown }) => toStoredView(name, search.parse(shown)))
          .slice(0, maxViews)
      : []
  } catch {
    return []
  }
}
