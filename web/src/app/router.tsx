import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { accountRoutes } from '../areas/accounts/routes.tsx'
import { cadenceRoutes } from '../areas/cadences/routes.tsx'
import { campaignRoutes } from '../areas/campaigns/routes.tsx'
import { contactRoutes } from '../areas/contacts/routes.tsx'
import { dealRoutes } from '../areas/deals/routes.tsx'
import { homeRoutes } from '../areas/home/routes.tsx'
import { importRoutes } from '../areas/imports/routes.tsx'
import { inboxRoutes } from '../areas/inbox/routes.tsx'
import { leadRoutes } from '../areas/leads/routes.tsx'
import { mergeRoutes } from '../areas/merge/routes.tsx'
import { peopleRoutes } from '../areas/people/routes.tsx'
import { segmentRoutes } from '../areas/segments/routes.tsx'
import { settingsRoutes } from '../areas/settings/routes.tsx'
import { suppressionRoutes } from '../areas/suppressions/routes.tsx'
import { taskRoutes } from '../areas/tasks/routes.tsx'
import { trashRoutes } from '../areas/trash/routes.tsx'
import { rememberList } from '../session/list-places.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { PageError } from './page-error.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage })

const later = createRoute({
  getParentRoute: () => root,
  path: '/$area/$',
  component: lazyRouteComponent(() => import('./later-area-page.tsx'), 'LaterAreaPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    ...homeRoutes(root),
    ...accountRoutes(root),
    ...inboxRoutes(root),
    ...leadRoutes(root),
    ...mergeRoutes(root),
    ...dealRoutes(root),
    ...importRoutes(root),
    ...campaignRoutes(root),
    ...cadenceRoutes(root),
    ...contactRoutes(root),
    ...peopleRoutes(root),
    ...segmentRoutes(root),
    ...settingsRoutes(root),
    ...suppressionRoutes(root),
    ...taskRoutes(root),
    ...trashRoutes(root),
    later,
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultErrorComponent: PageError,
  scrollRestoration: false,
})

router.subscribe('onResolved', ({ toLocation }) => rememberList(toLocation.pathname, toLocation.search))

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
