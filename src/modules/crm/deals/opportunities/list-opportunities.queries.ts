import {
  hasFilter,
  type IndexScan,
  type Page,
  type PagePlan,
  readPage,
  type SortedList,
  type SortOrder,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { visibleCustom } from '../../records/custom-values/custom-values.queries.ts'
import {
  type OpportunityRow,
  type OpportunitySummaryRow,
  opportunityColumns,
  opportunitySummaryColumns,
} from './opportunities.queries.ts'
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

type OpportunityPageQuery = PageQuery & { sort: OpportunitySort }

export const listOpportunityRows = (
  tx: TenantTx,
  filter: OpportunityFilter,
  query: OpportunityPageQuery,
): Promise<Page<OpportunityRow>> => readOpportunityPage(tx, filter, query, opportunityColumns)

export const listOpportunitySummaryRows = (
  tx: TenantTx,
  filter: OpportunityFilter,
  query: OpportunityPageQuery,
): Promise<Page<OpportunitySummaryRow>> => readOpportunityPage(tx, filter, query, opportunitySummaryColumns)

async function readOpportunityPage<Row>(
  tx: TenantTx,
  filter: OpportunityFilter,
  { sort, ...page }: OpportunityPageQuery,
  columns: readonly string[],
): Promise<Page<Row>> {
  const list = toOpportunityList(filter, sort)
  const plan: PagePlan = {
    ...list,
    columns,
    calculated: { custom: visibleCustom('crm.opportunities') },
    scans: toScans(await toOpportunityConditions(tx, filter), list.order),
    plansForValues: !filter.rule && hasFilter(filter),
  }
  return await readPage<Row>(tx, plan, page)
}

/** Identifies the list, to which cursors belong. */
export const toOpportunityList = (filter: OpportunityFilter, sort: OpportunitySort): SortedList => ({
  table: 'crm.opportunities',
  order: sortOrderOf(orders, sort),
  // A cursor stays valid on the next day, and when a user joins the team.
  filters: { ...filter, overdue_on: !!filter.overdue_on, member_ids: undefined, rule: filter.rule?.json },
})

/** One index scan per value of the first filter that has an index in this sort order; other filters are plain conditions. */
function toScans({ indexed, other }: OpportunityConditions, { by }: SortOrder): IndexScan[] {
  const scanned = indexed.find(({ orders }) => orders.some((column) => column in by))
  const conditions = indexed.filter((filter) => filter !== scanned).map(({ condition }) => condition)
  const scans = scanned ? scanned.scans.map((scan) => [scan]) : [[]]
  return scans.map((scan) => ({ conditions: [notDeleted, ...scan, ...conditions, ...other] }))
}
