import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { homeRoutes } from '../areas/home/routes.tsx'
import { leadRoutes } from '../areas/leads/routes.tsx'
import { NotFoundState } from '../patterns/states.tsx'
import { laterAreas } from './later-areas.ts'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFoundState /> })

const later = createRoute({
  getParentRoute: () => root,
  path: '/$area/$',
  beforeLoad: ({ params }) => {
    if (!laterAreas.has(params.area)) throw new Error('not found')
  },
  component: lazyRouteComponent(() => import('./later-area-page.tsx'), 'LaterAreaPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([...homeRoutes(root), ...leadRoutes(root), later]),
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
