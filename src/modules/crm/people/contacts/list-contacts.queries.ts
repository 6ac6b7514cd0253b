import { type SqlBool, sql } from 'kysely'
import {
  allOf,
  type Condition,
  hasFilter,
  type IndexScan,
  type Page,
  type PagePlan,
  readPage,
  type SortOrders,
  type TenantTx,
} from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { visibleCustom } from '../../records/custom-values/custom-values.queries.ts'
import type { ListRule } from '../../records/filters/list-rule.service.ts'
import { ruleConditions } from '../../records/filters/rule-conditions.queries.ts'
import { searchConditions } from '../../records/filters/search-conditions.queries.ts'
import { accountAlias } from './contact-values.ts'
import { type ContactRow, type ContactSummaryRow, contactColumns, contactSummaryColumns } from './contacts.queries.ts'
import type { ContactQuery, ContactSort } from './contacts.schemas.ts'

export type ContactFilter = Pick<ContactQuery, 'search' | 'account_id' | 'lifecycle_stage' | 'tag'> & {
  owner_id?: string
  rule?: ListRule
}
type ContactSorting = { sort_by: ContactSort; sort_dir: 'asc' | 'desc' }

const orders: Record<ContactSort, SortOrders[string]> = {
  created_at: { by: { created_at: 'timestamp' } },
  name: { by: { name_key: 'text' }, isNullable: true },
  email: { by: { email_key: 'text' }, isNullable: true },
  lifecycle_stage: { by: { lifecycle_stage: 'text' } },
  account_name: { by: { account_name: 'text' }, isNullable: true },
}

/** For filters without a rule. Returns the query wrapped in an object, because awaiting a query builder would fail. */
export async function matchingContacts(tx: TenantTx, filter: ContactFilter) {
  const { stages, conditions } = await filterConditions(tx, filter)
  const all = [notDeleted, ...conditions, ...(stages ? [isInStages(stages)] : [])]
  return { contacts: tx.selectFrom('crm.contacts').where(allOf(all)) }
}

const notDeleted = sql<SqlBool>`crm.contacts.deleted_at is null`

type ContactPageQuery = PageQuery & ContactSorting

export const listContactRows = (
  tx: TenantTx,
  filter: ContactFilter,
  query: ContactPageQuery,
): Promise<Page<ContactRow>> => readContactPage(tx, filter, query, contactColumns)

export const listContactSummaryRows = (
  tx: TenantTx,
  filter: ContactFilter,
  query: ContactPageQuery,
): Promise<Page<ContactSummaryRow>> => readContactPage(tx, filter, query, contactSummaryColumns)

async function readContactPage<Row>(
  tx: TenantTx,
  filter: ContactFilter,
  { sort_by, sort_dir, ...page }: ContactPageQuery,
  columns: readonly string[],
): Promise<Page<Row>> {
  const { rule, ...plainFilters } = filter
  const plan: PagePlan = {
    table: 'crm.contacts',
    columns,
    calculated: { custom: visibleCustom('crm.contacts') },
    order: { ...orders[sort_by], isDescending: sort_dir === 'desc' },
    scans: toScans(await filterConditions(tx, filter), sort_by),
    joins: rule && accountJoin,
    filters: { ...plainFilters, rule: rule?.json },
    plansForValues: !rule && hasFilter(plainFilters),
  }
  return await readPage<Row>(tx, plan, page)
}

const accountJoin = sql`left join crm.accounts as ${sql.ref(accountAlias)}
  on ${sql.ref(accountAlias)}.id = crm.contacts.account_id and ${sql.ref(accountAlias)}.deleted_at is null`

const isInStages = (stages: readonly string[]): Condition => sql`crm.contacts.lifecycle_stage = any (${stages}::text[])`

type ContactConditions = { stages?: readonly string[]; conditions: Condition[] }

async function filterConditions(tx: TenantTx, filter: ContactFilter): Promise<ContactConditions> {
  const { account_id, owner_id, lifecycle_stage, rule } = filter
  const conditions = await searchConditions(tx, 'contact', filter)
  if (account_id === 'none') conditions.push(sql`crm.contacts.account_name is null`)
  // Contacts of a deleted account keep `account_id`, so that it can be restored, but have no `account_name`.
  else if (account_id)
    conditions.push(sql`crm.contacts.account_id = ${account_id}::uuid and crm.contacts.account_name is not null`)
  if (owner_id) conditions.push(sql`crm.contacts.owner_id = ${owner_id}::uuid`)
  if (rule) conditions.push(...(await ruleConditions(tx, 'contact', rule)))
  return { stages: lifecycle_stage && [...new Set(lifecycle_stage)], conditions }
}

/** Sorted by creation or stage, several stages are one index scan each. */
function toScans({ stages, conditions }: ContactConditions, sort: ContactSort): IndexScan[] {
  if (!stages) return [{ conditions: [notDeleted, ...conditions] }]
  if (!['created_at', 'lifecycle_stage'].includes(sort))
    return [{ conditions: [notDeleted, isInStages(stages), ...conditions] }]
  return stages.map((stage) => ({
    conditions: [notDeleted, sql<SqlBool>`crm.contacts.lifecycle_stage = ${stage}`, ...conditions],
  }))
}
