import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export const homeRoutes = <Root extends AnyRoute>(root: Root) => {
  const home = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
  })
  return [home] as const
}
