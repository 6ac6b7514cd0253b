import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseLeadSearch } from './lead-search.ts'

export const leadRoutes = <Root extends AnyRoute>(root: Root) => {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/leads',
    validateSearch: parseLeadSearch,
    component: lazyRouteComponent(() => import('./list/leads-page.tsx'), 'LeadsPage'),
  })
  const record = createRoute({
    getParentRoute: () => root,
    path: '/leads/$leadId',
    validateSearch: parseLeadSearch,
    component: lazyRouteComponent(() => import('./record/lead-page.tsx'), 'LeadPage'),
  })
  return [list, record] as const
}
