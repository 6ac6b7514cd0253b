import type { Page, TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { orderOf, type SortOrder, type SortOrders } from '../lists/sort-order.rules.ts'
import { type Walk, walkPage } from '../lists/walk.queries.ts'
import { type OpportunityRow, opportunityColumns } from './opportunities.queries.ts'
import type { OpportunitySort } from './opportunities.schemas.ts'
import { type Facets, facetsOf, isLive, type OpportunityFilter } from './opportunity-filter.queries.ts'

const orders: SortOrders = {
  close_on: { by: { close_on: 'day' } },
  amount: { by: { amount_base_minor: 'whole' }, hasGaps: true },
  created_at: { by: { created_at: 'instant' } },
  updated_at: { by: { updated_at: 'instant' } },
  name: { by: { name_key: 'text' } },
}

/** The page of deals a filter means. */
export async function listOpportunities(
  tx: TenantTx,
  filter: OpportunityFilter,
  { sort, ...page }: PageQuery & { sort: OpportunitySort },
): Promise<Page<OpportunityRow>> {
  const order = orderOf(orders, sort)
  const facets = await facetsOf(tx, filter)
  const plan = {
    table: 'crm.opportunities',
    columns: opportunityColumns,
    order,
    walks: walksFor(facets, order),
    // What day it is does not make it another list.
    fingerprint: { ...filter, overdue_on: !!filter.overdue_on, rule: filter.rule?.written },
  }
  return await walkPage<OpportunityRow>(tx, plan, page)
}

/** By day and by amount an index is walked for each value of a filter; in another order rows are asked. */
function walksFor({ facets, rest }: Facets, { by }: SortOrder): Walk[] {
  const walked = facets.find(({ orders }) => orders.some((column) => column in by))
  const others = facets.filter((facet) => facet !== walked).map(({ asks }) => asks)
  const walks = walked ? walked.walks.map((walk) => [walk]) : [[]]
  return walks.map((walk) => ({ held: [isLive, ...walk, ...others, ...rest] }))
}
