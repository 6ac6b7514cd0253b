import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export const cadenceRoutes = <Root extends AnyRoute>(root: Root) => {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/cadences',
    component: lazyRouteComponent(() => import('./list/cadences-page.tsx'), 'CadencesPage'),
  })
  const record = createRoute({
    getParentRoute: () => root,
    path: '/cadences/$cadenceId',
    component: lazyRouteComponent(() => import('./record/cadence-page.tsx'), 'CadencePage'),
  })
  return [list, record] as const
}
