import { type SqlBool, sql } from 'kysely'
import type { Page, TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { orderOf, type SortOrders } from '../lists/sort-order.rules.ts'
import { type Walk, walkPage } from '../lists/walk.queries.ts'
import {
  type Conditions,
  conditionsOf,
  isDeleted,
  isLive,
  isOneOf,
  isOwnedBy,
  type LeadFilter,
  plainConditions,
} from './lead-filter.queries.ts'
import { type ListedLead, leadColumns } from './leads.queries.ts'
import type { LeadSort } from './leads.schemas.ts'

const orders: SortOrders = {
  priority: { by: { priority_rank: 'whole', created_at: 'instant' } },
  score: { by: { score: 'whole' } },
  created_at: { by: { created_at: 'instant' } },
  updated_at: { by: { updated_at: 'instant' } },
  last_activity_at: { by: { last_activity_at: 'instant' }, hasGaps: true },
  name: { by: { name_key: 'text' }, hasGaps: true },
  company: { by: { company_key: 'text' }, hasGaps: true },
  sla_due_at: { by: { sla_due_at: 'instant' }, hasGaps: true },
}

/** The page of leads a filter means. */
export async function listLeads(
  tx: TenantTx,
  filter: LeadFilter,
  { sort, ...page }: PageQuery & { sort: LeadSort },
): Promise<Page<ListedLead>> {
  const conditions = await conditionsOf(tx, filter)
  const everything = plainConditions(conditions)
  const deleted = filter.include_deleted ? [{ held: [isDeleted, ...everything] }] : []
  const walksBy = (order: LeadSort) => [...liveWalks(conditions, order), ...deleted]
  const plan = {
    table: 'crm.leads',
    columns: leadColumns,
    order: orderOf(orders, sort),
    walks: walksBy(sort),
    sifted:
      sort !== 'priority' && isNarrowed(conditions)
        ? { walks: walksBy('priority'), order: orderOf(orders, 'priority') }
        : undefined,
    fingerprint: { ...filter, rule: filter.rule?.written },
  }
  return await walkPage<ListedLead>(tx, plan, page)
}

/** Some index knows which leads are meant, though in the default order only. */
const isNarrowed = ({ lists, owner, scores }: Conditions) => lists.size > 0 || owner !== undefined || scores !== null

/**
 * The default order is kept by an index for every filter, so a list of values is one walk for each, and a range of scores one
 * for each tier. In another order there is one index, and rows are asked the rest.
 */
function liveWalks(conditions: Conditions, sort: LeadSort): Walk[] {
  const { but, walks } = sort === 'priority' ? splitByIndex(conditions) : unsplit
  const rest = plainConditions(conditions, but)
  return walks.map(({ held, ahead }) => ({ held: [isLive, ...held, ...rest], ahead }))
}

/** Walks, and the names of the filters they see to. */
type Split = { but: string[]; walks: Walk[] }
const unsplit: Split = { but: [], walks: [{ held: [] }] }

function splitByIndex({ lists, owner, scores }: Conditions): Split {
  const split = splitByValue(lists, owner)
  if (!scores) return split
  const tiers = [1, 2, 3, 4, 5, 6, 7].map((tier) => {
    const [from, to] = [tier * 1_000 + 100 - scores.max, tier * 1_000 + 100 - scores.min]
    return sql<SqlBool>`priority_rank between ${from}::smallint and ${to}::smallint`
  })
  const walks = split.walks.flatMap((walk) => tiers.map((tier) => ({ ...walk, held: [...walk.held, tier] })))
  return { but: [...split.but, 'scores'], walks }
}

function splitByValue(lists: Conditions['lists'], owner: Conditions['owner']): Split {
  // Of nobody there is no value to be equal to, so the column has to be named for the order of the index to be seen.
  if (owner === null) return { but: ['owner'], walks: [{ held: [isOwnedBy(null)], ahead: 'owner_id' }] }
  if (owner !== undefined) return { but: ['owner'], walks: [{ held: [isOwnedBy(owner)] }] }
  const [shortest] = [...lists].sort(([, one], [, other]) => one.length - other.length)
  if (!shortest) return unsplit
  const [name, values] = shortest
  return { but: [name], walks: values.map((value) => ({ held: [isOneOf(name, [value])] })) }
}
