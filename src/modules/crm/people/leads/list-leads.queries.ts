import { type SqlBool, sql } from 'kysely'
import {
  type IndexScan,
  type Page,
  readPage,
  readPosition,
  type SortedList,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { visibleCustom } from '../../records/custom-values/custom-values.queries.ts'
import { maxMatches, searchWords } from '../../records/filters/search-conditions.queries.ts'
import {
  type LeadSummaryRow,
  type ListedLeadRow,
  leadSummaryColumns,
  listedLeadColumns,
} from '../lead-records/leads.queries.ts'
import type { LeadSort } from '../lead-records/leads.schemas.ts'
import {
  flattenConditions,
  isDeleted,
  isNotDeleted,
  isOneOf,
  isOwnedBy,
  type LeadConditions,
  type LeadFilter,
  toLeadConditions,
} from './lead-filter.queries.ts'

/** The deadline of leads that wait for a first response. The others come after all of them. */
const awaitedAt = sql`(case when crm.leads.first_responded_at is null and crm.leads.sla_due_at is not null
  and crm.leads.status <> 'unqualified' and crm.leads.status <> 'converted'
  then crm.leads.sla_due_at else timestamptz '2200-01-01 00:00:00+00' end)`

const orders: SortOrders = {
  priority: { by: { priority_rank: 'integer', created_at: 'timestamp' } },
  queue: {
    by: { awaited_at: 'timestamp', priority_rank: 'integer', created_at: 'timestamp' },
    calculated: { awaited_at: awaitedAt },
  },
  score: { by: { score: 'integer' } },
  created_at: { by: { created_at: 'timestamp' } },
  updated_at: { by: { updated_at: 'timestamp' } },
  last_activity_at: { by: { last_activity_at: 'timestamp' }, isNullable: true },
  name: { by: { name_key: 'text' }, isNullable: true },
  company: { by: { company_key: 'text' }, isNullable: true },
  sla_due_at: { by: { sla_due_at: 'timestamp' }, isNullable: true },
}

type LeadPageQuery = PageQuery & { sort: LeadSort }

export const listLeadRows = (tx: TenantTx, filter: LeadFilter, query: LeadPageQuery): Promise<Page<ListedLeadRow>> =>
  readLeadPage(tx, filter, query, listedLeadColumns)

export const listLeadSummaryRows = (
  tx: TenantTx,
  filter: LeadFilter,
  query: LeadPageQuery,
): Promise<Page<LeadSummaryRow>> => readLeadPage(tx, filter, query, leadSummaryColumns)

async function readLeadPage<Row>(
  tx: TenantTx,
  filter: LeadFilter,
  { sort, ...page }: LeadPageQuery,
  columns: readonly string[],
): Promise<Page<Row>> {
  const list = {
    table: 'crm.leads',
    columns,
    calculated: { custom: visibleCustom('crm.leads') },
    order: sortOrderOf(orders, sort),
    filters: { ...filter, rule: filter.rule?.json },
  }
  const found = sort === 'priority' && hasOnlySearch(filter) ? await searchByPriority(tx, list, page) : undefined
  if (found?.ids) {
    const conditions = [isNotDeleted, sql<SqlBool>`crm.leads.id = any (${found.ids}::uuid[])`]
    return await readPage<Row>(tx, { ...list, scans: [{ conditions }], matches: found.matches }, page)
  }
  const conditions = await toLeadConditions(tx, { ...filter, hasManyMatches: found !== undefined })
  const allConditions = flattenConditions(conditions)
  const deleted = filter.include_deleted ? [{ conditions: [isDeleted, ...allConditions] }] : []
  const scansBy = (order: LeadSort) => [...notDeletedScans(conditions, order), ...deleted]
  const plan = {
    ...list,
    scans: scansBy(sort),
    filterFirst:
      sort !== 'priority' && hasIndexedFilter(conditions) && !isOwnedQueue(conditions, sort)
        ? { scans: scansBy('priority'), order: sortOrderOf(orders, 'priority') }
        : undefined,
  }
  return await readPage<Row>(tx, plan, page)
}

const hasOnlySearch = ({ search, ...others }: LeadFilter) =>
  searchWords(search).length > 0 && Object.values(others).every((value) => value === undefined || value === false)

const hasIndexedFilter = ({ lists, owner, scores }: LeadConditions) =>
  lists.size > 0 || owner !== undefined || scores !== null

const isOwnedQueue = ({ owner }: LeadConditions, sort: LeadSort) => sort === 'queue' && owner !== undefined

/**
 * In priority order each filter has an index: one scan per value or score tier. The queue has one by owner. Other orders scan one
 * index and filter rows.
 */
function notDeletedScans(conditions: LeadConditions, sort: LeadSort): IndexScan[] {
  const { applied, scans } =
    sort === 'priority'
      ? splitByIndex(conditions)
      : isOwnedQueue(conditions, sort)
        ? splitByValue(conditions.lists, conditions.owner)
        : unsplit
  const rest = flattenConditions(conditions, applied)
  return scans.map((scan) => ({ ...scan, conditions: [isNotDeleted, ...scan.conditions, ...rest] }))
}

type Split = { applied: string[]; scans: IndexScan[] }
const unsplit: Split = { applied: [], scans: [{ conditions: [] }] }

function splitByIndex({ lists, owner, scores }: LeadConditions): Split {
  const split = splitByValue(lists, owner)
  if (!scores) return split
  const tiers = [1, 2, 3, 4, 5, 6, 7].map((tier) => {
    const [from, to] = [tier * 1_000 + 100 - scores.max, tier * 1_000 + 100 - scores.min]
    return sql<SqlBool>`priority_rank between ${from}::smallint and ${to}::smallint`
  })
  const scans = split.scans.flatMap((scan) =>
    tiers.map((tier) => ({ ...scan, conditions: [...scan.conditions, tier] })),
  )
  return { applied: [...split.applied, 'scores'], scans }
}

function splitByValue(lists: LeadConditions['lists'], owner: LeadConditions['owner']): Split {
  // `owner_id IS NULL` is not an equality, so name the column in ORDER BY or the planner cannot use the index order.
  if (owner === null)
    return { applied: ['owner'], scans: [{ conditions: [isOwnedBy(null)], leadingColumn: 'owner_id' }] }
  if (owner !== undefined) return { applied: ['owner'], scans: [{ conditions: [isOwnedBy(owner)] }] }
  const [shortest] = [...lists].sort(([, one], [, other]) => one.length - other.length)
  if (!shortest) return unsplit
  const [name, values] = shortest
  return { applied: [name], scans: values.map((value) => ({ conditions: [isOneOf(name, [value])] })) }
}

type LeadSearch = SortedList & { filters: { search?: string } }

/** Returns the first matching leads in the default order and the number of all; `ids` is undefined if there are too many to sort. */
export async function searchByPriority(
  tx: TenantTx,
  list: LeadSearch,
  page: PageQuery,
): Promise<{ matches: number; ids: string[] | undefined }> {
  const position = readPosition(list, page)
  const [rank, micros] = position?.key ?? [null, null]
  const createdAt = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
  const after = sql`${rank}::smallint, ${createdAt}, ${position?.id ?? null}::uuid`
  const maxRows = (position ? 0 : page.offset) + page.limit + 1
  const search = sql<{ matches: number; ids: string[] }>`crm.search_leads_by_priority(
    ${searchWords(list.filters.search)}::text[], ${sql.lit(maxMatches + 1)}, ${maxRows}::integer, ${after})`
  const { matches, ids } = await tx
    .selectFrom(search.as('search'))
    .select(['search.matches', 'search.ids'])
    .executeTakeFirstOrThrow()
  return { matches, ids: matches > maxMatches ? undefined : ids }
}
