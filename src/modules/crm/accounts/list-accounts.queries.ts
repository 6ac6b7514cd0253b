import { type SqlBool, sql } from 'kysely'
import type { Page, TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { hitConditions } from '../lists/hits.queries.ts'
import type { AskedRule } from '../lists/list-rule.service.ts'
import type { SortOrder } from '../lists/sort-order.rules.ts'
import { type Condition, every, walkPage } from '../lists/walk.queries.ts'
import { ruleCondition } from '../rules/rule-sql.queries.ts'
import { type AccountRow, accountColumns } from './accounts.queries.ts'
import type { AccountQuery, AccountSort } from './accounts.schemas.ts'

/** Which accounts are meant, once it is clear who asks. */
export type AccountFilter = Pick<AccountQuery, 'search' | 'type' | 'industry' | 'parent_account_id' | 'tag'> & {
  /** A user's id; `me` has been made out. */
  owner_id?: string
  rule?: AskedRule
}

const orders: Record<string, Pick<SortOrder, 'column' | 'kind' | 'hasGaps'>> = {
  name: { column: 'name_key', kind: 'text', hasGaps: false },
  created_at: { column: 'created_at', kind: 'instant', hasGaps: false },
  updated_at: { column: 'updated_at', kind: 'instant', hasGaps: false },
  last_activity_at: { column: 'last_activity_at', kind: 'instant', hasGaps: true },
}

function orderOf(sort: AccountSort): SortOrder {
  const isDescending = sort.startsWith('-')
  return { ...orders[isDescending ? sort.slice(1) : sort]!, isDescending }
}

/** The page of accounts a filter means. By name an index keeps each type in order, so several types are one walk for each. */
export async function listAccounts(
  tx: TenantTx,
  filter: AccountFilter,
  { sort, ...page }: PageQuery & { sort: AccountSort },
): Promise<Page<AccountRow>> {
  const order = orderOf(sort)
  const types = filter.type && [...new Set(filter.type)]
  const rest = await conditionsOf(tx, filter)
  const all = [...(types ? [sql<SqlBool>`crm.accounts.type = any (${types}::text[])`] : []), ...rest]
  const isWalkedByType = types && order.column === 'name_key'
  const { rule, ...plain } = filter
  const plan = {
    table: 'crm.accounts',
    columns: accountColumns,
    order,
    walks: isWalkedByType
      ? types.map((type) => ({ held: [sql<SqlBool>`crm.accounts.type = ${type}`, ...rest] }))
      : [{ held: all }],
    fingerprint: { ...plain, rule: rule?.written },
    matching: tx.selectFrom('crm.accounts').where(every(all)),
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
