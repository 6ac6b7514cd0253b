import { type SqlBool, sql } from 'kysely'
import {
  allOf,
  type Condition,
  hasFilter,
  type Page,
  type PagePlan,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { visibleCustom } from '../../records/custom-values/custom-values.queries.ts'
import type { ListRule } from '../../records/filters/list-rule.service.ts'
import { ruleConditions } from '../../records/filters/rule-conditions.queries.ts'
import { searchConditions } from '../../records/filters/search-conditions.queries.ts'
import { type AccountRow, type AccountSummaryRow, accountColumns, accountSummaryColumns } from './accounts.queries.ts'
import type { AccountQuery, AccountSort } from './accounts.schemas.ts'

export type AccountFilter = Pick<AccountQuery, 'search' | 'type' | 'industry' | 'parent_account_id' | 'tag'> & {
  owner_id?: string
  rule?: ListRule
}

const orders: SortOrders = {
  name: { by: { name_key: 'text' } },
  created_at: { by: { created_at: 'timestamp' } },
  updated_at: { by: { updated_at: 'timestamp' } },
  last_activity_at: { by: { last_activity_at: 'timestamp' }, isNullable: true },
}

export type AccountPageQuery = PageQuery & { sort: AccountSort }

export const listAccountRows = (
  tx: TenantTx,
  filter: AccountFilter,
  query: AccountPageQuery,
): Promise<Page<AccountRow>> => readAccountPage(tx, filter, query, accountColumns)

export const listAccountSummaryRows = (
  tx: TenantTx,
  filter: AccountFilter,
  query: AccountPageQuery,
): Promise<Page<AccountSummaryRow>> => readAccountPage(tx, filter, query, accountSummaryColumns)

/** Sorted by name, several types are one index scan each, because the index by type is sorted by name. */
async function readAccountPage<Row>(
  tx: TenantTx,
  filter: AccountFilter,
  { sort, ...page }: AccountPageQuery,
  columns: readonly string[],
): Promise<Page<Row>> {
  const types = filter.type && [...new Set(filter.type)]
  const conditions = await filterConditions(tx, filter)
  const isScannedByType = types && sort.endsWith('name')
  const { rule, ...plainFilters } = filter
  const plan: PagePlan = {
    table: 'crm.accounts',
    columns,
    calculated: { custom: visibleCustom('crm.accounts') },
    order: sortOrderOf(orders, sort),
    scans: isScannedByType
      ? types.map((type) => ({ conditions: [sql<SqlBool>`crm.accounts.type = ${type}`, ...conditions] }))
      : [{ conditions: [...(types ? [isOfTypes(types)] : []), ...conditions] }],
    filters: { ...plainFilters, rule: rule?.json },
    plansForValues: !rule && hasFilter(plainFilters),
  }
  return await readPage<Row>(tx, plan, page)
}

/** Returns the query wrapped in an object, because awaiting a query builder would fail. */
export async function matchingAccounts(tx: TenantTx, filter: AccountFilter) {
  const conditions = await filterConditions(tx, filter)
  const all = filter.type ? [...conditions, isOfTypes(filter.type)] : conditions
  return { accounts: tx.selectFrom('crm.accounts').where(allOf(all)) }
}

const isOfTypes = (types: readonly string[]): Condition => sql`crm.accounts.type = any (${types}::text[])`

async function filterConditions(tx: TenantTx, filter: AccountFilter): Promise<Condition[]> {
  const { owner_id, industry, parent_account_id, rule } = filter
  const conditions: Condition[] = [
    sql`crm.accounts.deleted_at is null`,
    ...(await searchConditions(tx, 'account', filter)),
  ]
  if (owner_id) conditions.push(sql`crm.accounts.owner_id = ${owner_id}::uuid`)
  if (industry) conditions.push(sql`crm.accounts.industry = ${industry}`)
  if (parent_account_id) conditions.push(sql`crm.accounts.parent_account_id = ${parent_account_id}::uuid`)
  if (rule) conditions.push(...(await ruleConditions(tx, 'account', rule)))
  return conditions
}
