import { type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { hitCondition, hitConditions } from '../lists/hits.queries.ts'
import type { AskedRule } from '../lists/list-rule.service.ts'
import { type Condition, every } from '../lists/walk.queries.ts'
import { ruleCondition } from '../rules/rule-sql.queries.ts'
import type { OpportunityQuery } from './opportunities.schemas.ts'
import { type Kind, kinds } from './pipelines.schemas.ts'

type Plain =
  | 'search'
  | 'kind'
  | 'pipeline_id'
  | 'stage_key'
  | 'account_id'
  | 'contact_id'
  | 'campaign_id'
  | 'forecast_category'
  | 'close_from'
  | 'close_to'

/** Which deals are meant, once it is clear who asks, what day it is and what the amounts are worth. */
export type OpportunityFilter = Pick<OpportunityQuery, Plain> & {
  owner_id?: string
  /** In minor units of the base currency. */
  amount_min?: number
  amount_max?: number
  /** Open, and to be closed before this day. */
  overdue_on?: string
  rule?: AskedRule
}

/** A filter an index answers in the order of days or amounts: what it asks of a row, and the walks it takes. */
type Facet = { asks: Condition; walks: Condition[]; orders: readonly string[] }
export type Facets = { facets: Facet[]; rest: Condition[] }

/** Beyond this many stages a walk for each costs more than asking every row. */
const mostStages = 60
const byDay = ['close_on']

export const isLive: Condition = sql`crm.opportunities.deleted_at is null`

/** The most telling filter comes first: it is the one whose index is walked. */
export async function facetsOf(tx: TenantTx, filter: OpportunityFilter): Promise<Facets> {
  const { account_id, campaign_id, owner_id, forecast_category, overdue_on } = filter
  const asked: readonly Kind[] | undefined = overdue_on ? ['open'] : filter.kind
  const facets: (Facet | undefined)[] = [
    account_id ? simple(sql`account_id = ${account_id}::uuid`) : undefined,
    campaign_id ? simple(sql`campaign_id = ${campaign_id}::uuid`) : undefined,
    owner_id ? ownerFacet(owner_id, asked ?? kinds) : undefined,
    await stageFacet(tx, filter),
    forecast_category ? listFacet('forecast_category', forecast_category) : undefined,
    asked ? listFacet('kind', asked) : undefined,
    // Both are asked for, and they contradict each other: nothing is found.
    overdue_on && filter.kind ? listFacet('kind', filter.kind) : undefined,
  ]
  return { facets: facets.filter((facet) => facet !== undefined), rest: await restOf(tx, filter) }
}

const simple = (asks: Condition): Facet => ({ asks, walks: [asks], orders: byDay })

function listFacet(name: 'kind' | 'forecast_category', values: readonly string[]): Facet {
  const column = sql.ref(name)
  const each = [...new Set(values)]
  return {
    asks: sql`${column} = any (${each}::text[])`,
    walks: each.map((value) => sql<SqlBool>`${column} = ${value}`),
    orders: byDay,
  }
}

function ownerFacet(owner: string, ofKinds: readonly Kind[]): Facet {
  const asks = sql<SqlBool>`owner_id = ${owner}::uuid`
  return { asks, walks: ofKinds.map((kind) => every([asks, sql`kind = ${kind}`])), orders: byDay }
}

async function stageFacet(tx: TenantTx, { pipeline_id, stage_key }: OpportunityFilter): Promise<Facet | undefined> {
  if (!pipeline_id && !stage_key) return undefined
  const inPipeline = pipeline_id ? [sql<SqlBool>`pipeline_id = ${pipeline_id}::uuid`] : []
  const inStages = (column: string) =>
    stage_key ? [sql<SqlBool>`${sql.ref(column)} = any (${stage_key}::text[])`] : []
  const rows = await tx
    .selectFrom('crm.pipeline_stages')
    .select(['pipeline_id', 'key'])
    .where(every([...inPipeline, ...inStages('key')]))
    .execute()
  const walks = rows.map(
    ({ pipeline_id, key }) => sql<SqlBool>`pipeline_id = ${pipeline_id}::uuid and stage_key = ${key}`,
  )
  const asks = every([...inPipeline, ...inStages('stage_key')])
  return { asks, walks: walks.length > mostStages ? [asks] : walks, orders: ['close_on', 'amount_base_minor'] }
}

async function restOf(tx: TenantTx, filter: OpportunityFilter): Promise<Condition[]> {
  const { close_from, close_to, overdue_on, rule } = filter
  const rest = await lookedUp(tx, filter)
  if (close_from) rest.push(sql`close_on >= ${close_from}::date`)
  if (close_to) rest.push(sql`close_on <= ${close_to}::date`)
  if (overdue_on) rest.push(sql`close_on < ${overdue_on}::date`)
  if (rule) rest.push(ruleCondition(rule.rule, { alias: 'crm.opportunities', objectType: 'opportunity' }, rule.asker))
  return rest
}

/** What no index answers in the order of the list is looked up first, unless it means too many deals. */
async function lookedUp(tx: TenantTx, filter: OpportunityFilter): Promise<Condition[]> {
  const { search, contact_id, amount_min, amount_max } = filter
  const conditions = await hitConditions(tx, 'opportunity', { search })
  if (contact_id) {
    const isPart = sql`select opportunity_id from crm.opportunity_contacts where contact_id = ${contact_id}::uuid`
    const hits = sql<SqlBool>`select id from crm.opportunities where primary_contact_id = ${contact_id}::uuid union ${isPart}`
    const test = sql<SqlBool>`(primary_contact_id = ${contact_id}::uuid or crm.opportunities.id in (${isPart}))`
    conditions.push(await hitCondition(tx, 'opportunity', { hits, test }))
  }
  if (amount_min !== undefined || amount_max !== undefined) {
    const [least, most] = [amount_min ?? 0, amount_max ?? Number.MAX_SAFE_INTEGER]
    const test = sql<SqlBool>`amount_base_minor between ${least}::bigint and ${most}::bigint`
    const hits = sql<SqlBool>`select id from crm.opportunities where ${isLive} and ${test}`
    conditions.push(await hitCondition(tx, 'opportunity', { hits, test }))
  }
  return conditions
}
