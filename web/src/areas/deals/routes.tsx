import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseDealSearch } from './deal-search.ts'

export const dealRoutes = <Root extends AnyRoute>(root: Root) => {
  const board = createRoute({
    getParentRoute: () => root,
    path: '/deals',
    validateSearch: parseDealSearch,
    component: lazyRouteComponent(() => import('./board/deals-page.tsx'), 'DealsPage'),
  })
  const record = createRoute({
    getParentRoute: () => root,
    path: '/deals/$dealId',
    component: lazyRouteComponent(() => import('./record/deal-page.tsx'), 'DealPage'),
  })
  return [board, record] as const
}
