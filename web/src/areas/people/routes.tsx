import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parsePeopleSearch } from './people-search.ts'

export const peopleRoutes = <Root extends AnyRoute>(root: Root) => {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/people',
    validateSearch: parsePeopleSearch,
    component: lazyRouteComponent(() => import('./people-page.tsx'), 'PeoplePage'),
  })
  return [list] as const
}
