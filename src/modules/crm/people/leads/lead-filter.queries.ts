import { type SqlBool, sql } from 'kysely'
import { allOf, type Condition, type TenantTx } from '#platform/db'
import type { ListRule } from '../../records/filters/list-rule.service.ts'
import { ruleConditions } from '../../records/filters/rule-conditions.queries.ts'
import { searchConditions, selectiveCondition } from '../../records/filters/search-conditions.queries.ts'
import type { LeadQuery } from '../lead-records/leads.schemas.ts'

type ListFilter = 'status' | 'lifecycle_stage' | 'grade' | 'source'
type QueryFilters = Pick<LeadQuery, ListFilter | 'unassigned' | 'score_min' | 'score_max' | 'search' | 'tag'>

export type LeadFilter = QueryFilters & {
  /** User id (`me` already resolved). */
  owner_id?: string
  created_from?: string
  created_to?: string
  rule?: ListRule
  include_deleted?: boolean
  hasManyMatches?: boolean
}

/** `lists`, `owner` and `scores` have an index in the default order; `rest` is checked per row. */
export type LeadConditions = {
  lists: Map<ListFilter, readonly string[]>
  owner?: string | null
  scores: ScoreRange
  rest: Condition[]
}
type ScoreRange = { min: number; max: number } | null

/** Builds the conditions of a filter. Searches, tags and dates become id lists unless they match too many leads. */
export async function toLeadConditions(tx: TenantTx, filter: LeadFilter): Promise<LeadConditions> {
  const { score_min, score_max, rule } = filter
  const lists = (['source', 'status', 'lifecycle_stage', 'grade'] as const).flatMap((name) => {
    const values = filter[name]
    return values ? [[name, [...new Set(values)]] as const] : []
  })
  const hasScoreRange = score_min !== undefined || score_max !== undefined
  const rest = await selectiveConditions(tx, filter)
  if (rule) rest.push(...(await ruleConditions(tx, 'lead', rule)))
  return {
    lists: new Map(lists),
    owner: filter.unassigned ? null : filter.owner_id,
    scores: hasScoreRange ? { min: score_min ?? 0, max: score_max ?? 100 } : null,
    rest,
  }
}

export function flattenConditions(
  { lists, owner, scores, rest }: LeadConditions,
  except: readonly string[] = [],
): Condition[] {
  const conditions = [...rest]
  for (const [name, values] of lists) if (!except.includes(name)) conditions.push(isOneOf(name, values))
  if (owner !== undefined && !except.includes('owner')) conditions.push(isOwnedBy(owner))
  if (scores && !except.includes('scores'))
    conditions.push(sql`score between ${scores.min}::smallint and ${scores.max}::smallint`)
  return conditions
}

export const isOneOf = (name: ListFilter, values: readonly string[]): Condition =>
  values.length === 1 ? sql`${sql.ref(name)} = ${values[0]}` : sql`${sql.ref(name)} = any (${values}::text[])`

export const isOwnedBy = (owner: string | null): Condition =>
  owner === null ? sql`owner_id is null` : sql`owner_id = ${owner}::uuid`

export const isNotDeleted: Condition = sql`crm.leads.deleted_at is null`
export const isDeleted: Condition = sql`crm.leads.deleted_at is not null`

/** Returns the query wrapped in an object, because awaiting a query builder would fail. */
export async function matchingLeads(tx: TenantTx, filter: LeadFilter) {
  const conditions = flattenConditions(await toLeadConditions(tx, filter))
  const all = filter.include_deleted ? conditions : [isNotDeleted, ...conditions]
  return { leads: tx.selectFrom('crm.leads').where(allOf(all)) }
}

async function selectiveConditions(tx: TenantTx, filter: LeadFilter): Promise<Condition[]> {
  const { created_from, created_to, include_deleted } = filter
  const conditions = await searchConditions(tx, 'lead', filter)
  if (!created_from && !created_to) return conditions
  const test = allOf([
    ...(created_from ? [sql<SqlBool>`crm.leads.created_on >= ${created_from}::date`] : []),
    ...(created_to ? [sql<SqlBool>`crm.leads.created_on <= ${created_to}::date`] : []),
  ])
  const matches = sql<SqlBool>`select id from crm.leads where ${isNotDeleted} and ${test}`
  return [...conditions, include_deleted ? test : await selectiveCondition(tx, 'lead', { matches, test })]
}
