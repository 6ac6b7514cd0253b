import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export const suppressionRoutes = <Root extends AnyRoute>(root: Root) =>
  [
    createRoute({
      getParentRoute: () => root,
      path: '/suppressions',
      component: lazyRouteComponent(() => import('./suppressions-page.tsx'), 'SuppressionsPage'),
    }),
  ] as const
