import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { parseLeadSearch } from './lead-search.ts'
import { LeadsPage } from './list/leads-page.tsx'

export const leadRoutes = <Root extends AnyRoute>(root: Root) => {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/leads',
    validateSearch: parseLeadSearch,
    component: LeadsPage,
  })
  return [list] as const
}
