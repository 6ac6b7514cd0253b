import type { Page, TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import type { SortOrder } from '../lists/sort-order.rules.ts'
import { every, type Walk, walkPage } from '../lists/walk.queries.ts'
import { type OpportunityRow, opportunityColumns } from './opportunities.queries.ts'
import type { OpportunitySort } from './opportunities.schemas.ts'
import { type Facets, facetsOf, isLive, type OpportunityFilter } from './opportunity-filter.queries.ts'

const orders: Record<string, Omit<SortOrder, 'isDescending'>> = {
  close_on: { column: 'close_on', kind: 'day', hasGaps: false },
  amount: { column: 'amount_base_minor', kind: 'whole', hasGaps: true },
  created_at: { column: 'created_at', kind: 'instant', hasGaps: false },
  updated_at: { column: 'updated_at', kind: 'instant', hasGaps: false },
  name: { column: 'name_key', kind: 'text', hasGaps: false },
}

/** The page of deals a filter means. */
export async function listOpportunities(
  tx: TenantTx,
  filter: OpportunityFilter,
  { sort, ...page }: PageQuery & { sort: OpportunitySort },
): Promise<Page<OpportunityRow>> {
  const isDescending = sort.startsWith('-')
  const order: SortOrder = { ...orders[isDescending ? sort.slice(1) : sort]!, isDescending }
  const facets = await facetsOf(tx, filter)
  const plan = {
    table: 'crm.opportunities',
    columns: opportunityColumns,
    order,
    walks: walksFor(facets, order),
    // What day it is does not make it another list.
    fingerprint: { ...filter, overdue_on: !!filter.overdue_on, rule: filter.rule?.written },
    matching: tx
      .selectFrom('crm.opportunities')
      .where(every([isLive, ...facets.facets.map(({ asks }) => asks), ...facets.rest])),
  }
  return await walkPage<OpportunityRow>(tx, plan, page)
}

/** By day and by amount an index is walked for each value of a filter; in another order rows are asked. */
function walksFor({ facets, rest }: Facets, { column }: SortOrder): Walk[] {
  const walked = facets.find(({ orders }) => orders.includes(column))
  const others = facets.filter((facet) => facet !== walked).map(({ asks }) => asks)
  const walks = walked ? walked.walks.map((walk) => [walk]) : [[]]
  return walks.map((walk) => ({ held: [isLive, ...walk, ...others, ...rest] }))
}
