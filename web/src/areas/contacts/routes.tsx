import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** The pages read the parameters of their address themselves, so that the first load does not need to. */
export const contactRoutes = <Root extends AnyRoute>(root: Root) => {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/contacts',
    component: lazyRouteComponent(() => import('./list/contacts-page.tsx'), 'ContactsPage'),
  })
  const record = createRoute({
    getParentRoute: () => root,
    path: '/contacts/$contactId',
    component: lazyRouteComponent(() => import('./record/contact-page.tsx'), 'ContactPage'),
  })
  return [list, record] as const
}
