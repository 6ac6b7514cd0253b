import { type SqlBool, sql } from 'kysely'
import type { Page, TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { hitConditions } from '../lists/hits.queries.ts'
import type { AskedRule } from '../lists/list-rule.service.ts'
import { orderOf, type SortOrders } from '../lists/sort-order.rules.ts'
import { type Condition, walkPage } from '../lists/walk.queries.ts'
import { ruleCondition } from '../rules/rule-sql.queries.ts'
import { type AccountRow, accountColumns } from './accounts.queries.ts'
import type { AccountQuery, AccountSort } from './accounts.schemas.ts'

/** Which accounts are meant, once it is clear who asks. */
export type AccountFilter = Pick<AccountQuery, 'search' | 'type' | 'industry' | 'parent_account_id' | 'tag'> & {
  /** A user's id; `me` has been made out. */
  owner_id?: string
  rule?: AskedRule
}

const orders: SortOrders = {
  name: { by: { name_key: 'text' } },
  created_at: { by: { created_at: 'instant' } },
  updated_at: { by: { updated_at: 'instant' } },
  last_activity_at: { by: { last_activity_at: 'instant' }, hasGaps: true },
}

/** The page of accounts a filter means. By name an index keeps each type in order, so several types are one walk for each. */
export async function listAccounts(
  tx: TenantTx,
  filter: AccountFilter,
  { sort, ...page }: PageQuery & { sort: AccountSort },
): Promise<Page<AccountRow>> {
  const types = filter.type && [...new Set(filter.type)]
  const rest = await conditionsOf(tx, filter)
  const isWalkedByType = types && sort.endsWith('name')
  const { rule, ...plain } = filter
  const plan = {
    table: 'crm.accounts',
    columns: accountColumns,
    order: orderOf(orders, sort),
    walks: isWalkedByType
      ? types.map((type) => ({ held: [sql<SqlBool>`crm.accounts.type = ${type}`, ...rest] }))
      : [{ held: [...(types ? [sql<SqlBool>`crm.accounts.type = any (${types}::text[])`] : []), ...rest] }],
    fingerprint: { ...plain, rule: rule?.written },
  }
  return await walkPage<AccountRow>(tx, plan, page)
}

async function conditionsOf(tx: TenantTx, filter: AccountFilter): Promise<Condition[]> {
  const { owner_id, industry, parent_account_id, rule } = filter
  const conditions: Condition[] = [
    sql`crm.accounts.deleted_at is null`,
    ...(await hitConditions(tx, 'account', filter)),
  ]
  if (owner_id) conditions.push(sql`crm.accounts.owner_id = ${owner_id}::uuid`)
  if (industry) conditions.push(sql`crm.accounts.industry = ${industry}`)
  if (parent_account_id) conditions.push(sql`crm.accounts.parent_account_id = ${parent_account_id}::uuid`)
  if (rule) conditions.push(ruleCondition(rule.rule, { alias: 'crm.accounts', objectType: 'account' }, rule.asker))
  return conditions
}
