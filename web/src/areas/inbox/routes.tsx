import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export type InboxSearch = { unread?: true }

export const inboxRoutes = <Root extends AnyRoute>(root: Root) => {
  const inbox = createRoute({
    getParentRoute: () => root,
    path: '/inbox',
    validateSearch: ({ unread }: Record<string, unknown>): InboxSearch => (unread ? { unread: true } : {}),
    component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
  })
  return [inbox] as const
}
