import { moneyOf } from '#platform/money'
import { lockLeadsIncludingDeleted } from '../../people/lead-records/leads.queries.ts'

import { parseLeadFilter } from '../../people/leads/list-leads.service.ts'
import { defineBulkKind } from '../bulk/bulk-kind.ts'
import { listMatchingLeadIds } from './lead-bulk.queries.ts'

export const leadBulk = defineBulkKind({
  type: 'lead',
  filters: ['filter', 'query'],
  async listMatchingIds(tx, actor, { filter, query }, limit, services) {
    const rule = filter && JSON.stringify(filter)
    const leadFilter = await parseLeadFilter(tx, actor, { ...query, filter: rule }, services)
    return await listMatchingLeadIds(tx, leadFilter, limit)
  },
  async lockValues(tx, ids) {
    const leads = await lockLeadsIncludingDeleted(tx, ids)
    return leads.map((lead) => ({
      ...lead,
      annual_revenue: moneyOf(lead.annual_revenue_minor, lead.annual_revenue_currency),
    }))
  },
})

export const leadBulkActionPoint = leadBulk.actionPoint
