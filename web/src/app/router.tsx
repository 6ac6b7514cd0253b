import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { dealRoutes } from '../areas/deals/routes.tsx'
import { leadRoutes } from '../areas/leads/routes.tsx'
import { peopleRoutes } from '../areas/people/routes.tsx'
import { settingsRoutes } from '../areas/settings/routes.tsx'
import { NotFoundState } from '../patterns/states.tsx'
import { laterAreas } from './later-areas.ts'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFoundState /> })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../areas/home/home-page.tsx'), 'HomePage'),
})

const later = createRoute({
  getParentRoute: () => root,
  path: '/$area/$',
  beforeLoad: ({ params }) => {
    if (!laterAreas.has(params.area)) throw new Error('not found')
  },
  component: lazyRouteComponent(() => import('./later-area-page.tsx'), 'LaterAreaPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    ...leadRoutes(root),
    ...dealRoutes(root),
    ...peopleRoutes(root),
    ...settingsRoutes(root),
    later,
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
