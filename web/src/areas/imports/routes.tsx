import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseImportSearch, parseImportsSearch } from './model/import-search.ts'

export const importRoutes = <Root extends AnyRoute>(root: Root) => {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/imports',
    validateSearch: parseImportsSearch,
    component: lazyRouteComponent(() => import('./imports-page.tsx'), 'ImportsPage'),
  })
  const wizard = createRoute({
    getParentRoute: () => root,
    path: '/imports/$type/$importId',
    validateSearch: parseImportSearch,
    component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
  })
  return [list, wizard] as const
}
