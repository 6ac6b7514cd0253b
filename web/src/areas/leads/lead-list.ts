import { queryKeys } from '../../api/query-keys.ts'
import type { ListSource } from '../../patterns/list/list-definition.ts'
import { can } from '../../session/me.ts'
import { type LeadRow, loadLeadPage } from './lead-queries.ts'
import { type LeadFilters, type LeadSort, leadSearch } from './lead-search.ts'
import { toLeadQuery } from './list-query.ts'

/** Reads the rows of the list, also for the lead before and after one on a page of its own. */
export const leadSource = {
  path: '/leads',
  search: leadSearch,
  standardView: (me) => (can(me, 'leads.write') ? 'queue' : 'all'),
  toQuery: (filters: LeadFilters, sort: LeadSort, today: string) => toLeadQuery(filters, sort, today),
  keyOf: queryKeys.leads.list,
  load: loadLeadPage,
} satisfies ListSource<LeadRow, ReturnType<typeof toLeadQuery>>
