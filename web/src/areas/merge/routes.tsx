import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** The other record is in the URL, so that Reload and a copied link compare the same ones. */
export const parseMergeSearch = (search: Record<string, unknown>): { with?: string } =>
  typeof search.with === 'string' ? { with: search.with } : {}

export const mergeRoutes = <Root extends AnyRoute>(root: Root) => {
  const lead = createRoute({
    getParentRoute: () => root,
    path: '/leads/$leadId/merge',
    validateSearch: parseMergeSearch,
    component: lazyRouteComponent(() => import('./merge-leads-page.tsx'), 'MergeLeadsPage'),
  })
  const contact = createRoute({
    getParentRoute: () => root,
    path: '/contacts/$contactId/merge',
    validateSearch: parseMergeSearch,
    component: lazyRouteComponent(() => import('./merge-contacts-page.tsx'), 'MergeContactsPage'),
  })
  return [lead, contact] as const
}
