import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** The pages read their parts of the URL themselves, so that what it means is not loaded before. */
export const accountRoutes = <Root extends AnyRoute>(root: Root) => {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/accounts',
    component: lazyRouteComponent(() => import('./list/accounts-page.tsx'), 'AccountsPage'),
  })
  const record = createRoute({
    getParentRoute: () => root,
    path: '/accounts/$accountId',
    component: lazyRouteComponent(() => import('./record/account-page.tsx'), 'AccountPage'),
  })
  return [list, record] as const
}
