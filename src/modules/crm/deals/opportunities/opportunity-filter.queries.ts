import { type SqlBool, sql } from 'kysely'
import { allOf, type Condition, type TenantTx } from '#platform/db'
import type { ListRule } from '../../records/filters/list-rule.service.ts'
import { ruleConditions } from '../../records/filters/rule-conditions.queries.ts'
import { searchConditions, selectiveCondition } from '../../records/filters/search-conditions.queries.ts'
import { type StageKind, stageKinds } from '../pipelines/pipelines.schemas.ts'
import type { OpportunityQuery } from './opportunities.schemas.ts'

type PlainFilter =
  | 'search'
  | 'kind'
  | 'pipeline_id'
  | 'stage_key'
  | 'team_id'
  | 'account_id'
  | 'contact_id'
  | 'campaign_id'
  | 'forecast_category'
  | 'close_from'
  | 'close_to'

/** Filter with `me` resolved, amounts converted and `overdue` replaced by a date. */
export type OpportunityFilter = Pick<OpportunityQuery, PlainFilter> & {
  owner_id?: string
  member_ids?: readonly string[]
  amount_min?: number
  amount_max?: number
  overdue_on?: string
  rule?: ListRule
}

/** A filter with an index: its condition, the same as one index scan per value, and the sort columns of that index. */
type IndexedFilter = { condition: Condition; scans: Condition[]; orders: readonly string[] }
export type OpportunityConditions = { indexed: IndexedFilter[]; other: Condition[] }

/** Above this many values, one scan per value costs more than filtering rows. */
const maxScans = 60
const byCloseDate = ['close_on']

export const notDeleted: Condition = sql`crm.opportunities.deleted_at is null`

/** The most selective filter comes first, because its index is the one that is scanned. */
export async function toOpportunityConditions(tx: TenantTx, filter: OpportunityFilter): Promise<OpportunityConditions> {
  const { account_id, campaign_id, owner_id, member_ids, forecast_category, overdue_on } = filter
  const kinds: readonly StageKind[] | undefined = overdue_on ? ['open'] : filter.kind
  const indexed: (IndexedFilter | undefined)[] = [
    account_id ? equalityFilter(sql`account_id = ${account_id}::uuid`) : undefined,
    campaign_id ? equalityFilter(sql`campaign_id = ${campaign_id}::uuid`) : undefined,
    owner_id ? ownersFilter([owner_id], kinds ?? stageKinds) : undefined,
    member_ids ? ownersFilter(member_ids, kinds ?? stageKinds) : undefined,
    await stageFilter(tx, filter),
    forecast_category ? listFilter('forecast_category', forecast_category) : undefined,
    kinds ? listFilter('kind', kinds) : undefined,
    // `overdue` with another `kind` matches nothing.
    overdue_on && filter.kind ? listFilter('kind', filter.kind) : undefined,
  ]
  return { indexed: indexed.filter((one) => one !== undefined), other: await otherConditions(tx, filter) }
}

const equalityFilter = (condition: Condition): IndexedFilter => ({ condition, scans: [condition], orders: byCloseDate })

function listFilter(name: 'kind' | 'forecast_category', values: readonly string[]): IndexedFilter {
  const column = sql.ref(name)
  const uniqueValues = [...new Set(values)]
  return {
    condition: sql`${column} = any (${uniqueValues}::text[])`,
    scans: uniqueValues.map((value) => sql<SqlBool>`${column} = ${value}`),
    orders: byCloseDate,
  }
}

function ownersFilter(ownerIds: readonly string[], kinds: readonly StageKind[]): IndexedFilter {
  const condition = sql<SqlBool>`owner_id = any (${ownerIds}::uuid[])`
  const scans = ownerIds.flatMap((id) => kinds.map((kind) => sql<SqlBool>`owner_id = ${id}::uuid and kind = ${kind}`))
  const isScanned = scans.length > 0 && scans.length <= maxScans
  return { condition, scans: isScanned ? scans : [condition], orders: byCloseDate }
}

async function stageFilter(
  tx: TenantTx,
  { pipeline_id, stage_key }: OpportunityFilter,
): Promise<IndexedFilter | undefined> {
  if (!pipeline_id && !stage_key) return undefined
  const inPipeline = pipeline_id ? [sql<SqlBool>`pipeline_id = ${pipeline_id}::uuid`] : []
  const inStages = (column: string) =>
    stage_key ? [sql<SqlBool>`${sql.ref(column)} = any (${stage_key}::text[])`] : []
  const rows = await tx
    .selectFrom('crm.pipeline_stages')
    .select(['pipeline_id', 'key'])
    .where(allOf([...inPipeline, ...inStages('key')]))
    .execute()
  const scans = rows.map(
    ({ pipeline_id, key }) => sql<SqlBool>`pipeline_id = ${pipeline_id}::uuid and stage_key = ${key}`,
  )
  const condition = allOf([...inPipeline, ...inStages('stage_key')])
  return {
    condition,
    scans: scans.length > maxScans ? [condition] : scans,
    orders: ['close_on', 'amount_base_minor'],
  }
}

async function otherConditions(tx: TenantTx, filter: OpportunityFilter): Promise<Condition[]> {
  const { close_from, close_to, overdue_on, rule } = filter
  const conditions = await selectiveConditions(tx, filter)
  if (close_from) conditions.push(sql`close_on >= ${close_from}::date`)
  if (close_to) conditions.push(sql`close_on <= ${close_to}::date`)
  if (overdue_on) conditions.push(sql`close_on < ${overdue_on}::date`)
  if (rule) conditions.push(...(await ruleConditions(tx, 'opportunity', rule)))
  return conditions
}

/** Filters without an index in sort order are resolved to ids first, unless they match too many deals. */
async function selectiveConditions(tx: TenantTx, filter: OpportunityFilter): Promise<Condition[]> {
  const { search, contact_id, amount_min, amount_max } = filter
  const conditions = await searchConditions(tx, 'opportunity', { search })
  if (contact_id) {
    const dealIds = sql`select opportunity_id from crm.opportunity_contacts where contact_id = ${contact_id}::uuid`
    const hits = sql<SqlBool>`select id from crm.opportunities where primary_contact_id = ${contact_id}::uuid union ${dealIds}`
    const test = sql<SqlBool>`(primary_contact_id = ${contact_id}::uuid or crm.opportunities.id in (${dealIds}))`
    conditions.push(await selectiveCondition(tx, 'opportunity', { matches: hits, test }))
  }
  if (amount_min !== undefined || amount_max !== undefined) {
    const [min, max] = [amount_min ?? 0, amount_max ?? Number.MAX_SAFE_INTEGER]
    const test = sql<SqlBool>`amount_base_minor between ${min}::bigint and ${max}::bigint`
    const hits = sql<SqlBool>`select id from crm.opportunities where ${notDeleted} and ${test}`
    conditions.push(await selectiveCondition(tx, 'opportunity', { matches: hits, test }))
  }
  return conditions
}
