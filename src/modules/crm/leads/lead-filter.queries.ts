import { type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { hitCondition, hitConditions } from '../lists/hits.queries.ts'
import type { AskedRule } from '../lists/list-rule.service.ts'
import { type Condition, every } from '../lists/walk.queries.ts'
import { ruleCondition } from '../rules/rule-sql.queries.ts'
import type { LeadQuery } from './leads.schemas.ts'

type Lists = 'status' | 'lifecycle_stage' | 'grade' | 'source'
type Asked = Pick<LeadQuery, Lists | 'unassigned' | 'score_min' | 'score_max' | 'search' | 'tag'>

/** Which leads are meant: the filters of the list, once it is clear who asks. */
export type LeadFilter = Asked & {
  /** A user's id; `me` has been made out. */
  owner_id?: string
  created_from?: string
  created_to?: string
  rule?: AskedRule
  include_deleted?: boolean
}

/** Filters an index answers in the default order, and everything else a row is asked. */
export type Conditions = {
  lists: Map<Lists, readonly string[]>
  owner?: string | null
  scores: Scores
  rest: Condition[]
}
type Scores = { min: number; max: number } | null

/** Makes out what a filter asks of a row. Searches, tags and days are looked up first, unless they mean too many leads. */
export async function conditionsOf(tx: TenantTx, filter: LeadFilter): Promise<Conditions> {
  const { score_min, score_max, rule } = filter
  const lists = (['source', 'status', 'lifecycle_stage', 'grade'] as const).flatMap((name) => {
    const values = filter[name]
    return values ? [[name, [...new Set(values)]] as const] : []
  })
  const isScored = score_min !== undefined || score_max !== undefined
  const rest = await lookedUp(tx, filter)
  if (rule) rest.push(ruleCondition(rule.rule, { alias: 'crm.leads', objectType: 'lead' }, rule.asker))
  return {
    lists: new Map(lists),
    owner: filter.unassigned ? null : filter.owner_id,
    scores: isScored ? { min: score_min ?? 0, max: score_max ?? 100 } : null,
    rest,
  }
}

/** All of it as conditions on a row, but for those named, which somebody else sees to. */
export function plainConditions({ lists, owner, scores, rest }: Conditions, but: readonly string[] = []): Condition[] {
  const conditions = [...rest]
  for (const [name, values] of lists) if (!but.includes(name)) conditions.push(isOneOf(name, values))
  if (owner !== undefined && !but.includes('owner')) conditions.push(isOwnedBy(owner))
  if (scores && !but.includes('scores'))
    conditions.push(sql`score between ${scores.min}::smallint and ${scores.max}::smallint`)
  return conditions
}

export const isOneOf = (name: Lists, values: readonly string[]): Condition =>
  values.length === 1 ? sql`${sql.ref(name)} = ${values[0]}` : sql`${sql.ref(name)} = any (${values}::text[])`

export const isOwnedBy = (owner: string | null): Condition =>
  owner === null ? sql`owner_id is null` : sql`owner_id = ${owner}::uuid`

export const isLive: Condition = sql`crm.leads.deleted_at is null`
export const isDeleted: Condition = sql`crm.leads.deleted_at is not null`

/** The leads a filter means, for whoever counts, exports or changes them. In an object, since a query must not be awaited. */
export async function matchingLeads(tx: TenantTx, filter: LeadFilter) {
  const conditions = plainConditions(await conditionsOf(tx, filter))
  const among = filter.include_deleted ? conditions : [isLive, ...conditions]
  return { leads: tx.selectFrom('crm.leads').where(every(among)) }
}

async function lookedUp(tx: TenantTx, filter: LeadFilter): Promise<Condition[]> {
  const { created_from, created_to, include_deleted } = filter
  const conditions = await hitConditions(tx, 'lead', filter)
  if (!created_from && !created_to) return conditions
  const test = every([
    ...(created_from ? [sql<SqlBool>`crm.leads.created_on >= ${created_from}::date`] : []),
    ...(created_to ? [sql<SqlBool>`crm.leads.created_on <= ${created_to}::date`] : []),
  ])
  const hits = sql<SqlBool>`select id from crm.leads where ${isLive} and ${test}`
  return [...conditions, include_deleted ? test : await hitCondition(tx, 'lead', { hits, test })]
}
