import { queryKeys } from '../../api/query-keys.ts'
import { can, type Me } from '../../session/me.ts'
import { dayIn } from '../../ui/format.ts'
import { filtersOf, type LeadSearch, type LeadView } from './lead-search.ts'
import { toLeadQuery } from './list-query.ts'

export function describeList(me: Me, search: LeadSearch, now: number) {
  const standard: LeadView = can(me, 'leads.write') ? 'queue' : 'all'
  const filters = filtersOf(search, standard)
  const sort = search.sort ?? 'queue'
  const today = dayIn(me.tenant.general.timezone, now)
  const query = toLeadQuery(filters, sort, today)
  const key = queryKeys.leads.list(query)
  return { standard, filters, sort, today, query, key, name: JSON.stringify(key) }
}
