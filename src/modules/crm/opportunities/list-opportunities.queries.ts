import type { Page, TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { hasFilter, type IndexScan, type PagePlan, readPage } from '../lists/keyset-page.queries.ts'
import { type SortOrder, type SortOrders, sortOrderOf } from '../lists/sort-order.rules.ts'
import { type OpportunityRow, opportunityColumns } from './opportunities.queries.ts'
import type { OpportunitySort } from './opportunities.schemas.ts'
import {
  notDeleted,
  type OpportunityConditions,
  type OpportunityFilter,
  toOpportunityConditions,
} from './opportunity-filter.queries.ts'

const orders: SortOrders = {
  close_on: { by: { close_on: 'date' } },
  amount: { by: { amount_base_minor: 'integer' }, isNullable: true },
  created_at: { by: { created_at: 'timestamp' } },
  updated_at: { by: { updated_at: 'timestamp' } },
  name: { by: { name_key: 'text' } },
}

export async function listOpportunityRows(
  tx: TenantTx,
  filter: OpportunityFilter,
  { sort, ...page }: PageQuery & { sort: OpportunitySort },
): Promise<Page<OpportunityRow>> {
  const order = sortOrderOf(orders, sort)
  const conditions = await toOpportunityConditions(tx, filter)
  const plan: PagePlan = {
    table: 'crm.opportunities',
    columns: opportunityColumns,
    order,
    scans: toScans(conditions, order),
    // A cursor stays valid on the next day.
    filters: { ...filter, overdue_on: !!filter.overdue_on, rule: filter.rule?.json },
    plansForValues: !filter.rule && hasFilter(filter),
  }
  return await readPage<OpportunityRow>(tx, plan, page)
}

/** One index scan per value of the first filter that has an index in this sort order; other filters are plain conditions. */
function toScans({ indexed, other }: OpportunityConditions, { by }: SortOrder): IndexScan[] {
  const scanned = indexed.find(({ orders }) => orders.some((column) => column in by))
  const conditions = indexed.filter((filter) => filter !== scanned).map(({ condition }) => condition)
  const scans = scanned ? scanned.scans.map((scan) => [scan]) : [[]]
  return scans.map((scan) => ({ conditions: [notDeleted, ...scan, ...conditions, ...other] }))
}
