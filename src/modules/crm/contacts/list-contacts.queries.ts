import { type SqlBool, sql } from 'kysely'
import type { Page, TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { hitConditions } from '../lists/hits.queries.ts'
import type { AskedRule } from '../lists/list-rule.service.ts'
import type { SortOrders } from '../lists/sort-order.rules.ts'
import { type Condition, type Walk, walkPage } from '../lists/walk.queries.ts'
import { ruleCondition } from '../rules/rule-sql.queries.ts'
import { joinedAccount } from './contact-fields.ts'
import { type ContactRow, contactColumns } from './contacts.queries.ts'
import type { ContactQuery, ContactSort } from './contacts.schemas.ts'

/** Which contacts are meant, once it is clear who asks. */
export type ContactFilter = Pick<ContactQuery, 'search' | 'account_id' | 'lifecycle_stage' | 'tag'> & {
  /** A user's id; `me` has been made out. */
  owner_id?: string
  rule?: AskedRule
}
type Sorting = { sort_by: ContactSort; sort_dir: 'asc' | 'desc' }

const orders: Record<ContactSort, SortOrders[string]> = {
  created_at: { by: { created_at: 'instant' } },
  name: { by: { name_key: 'text' }, hasGaps: true },
  email: { by: { email_key: 'text' }, hasGaps: true },
  lifecycle_stage: { by: { lifecycle_stage: 'text' } },
  account_name: { by: { account_name: 'text' }, hasGaps: true },
}

const isLive = sql<SqlBool>`crm.contacts.deleted_at is null`

/** The page of contacts a filter means, in the order asked for. */
export async function listContacts(
  tx: TenantTx,
  filter: ContactFilter,
  { sort_by, sort_dir, ...page }: PageQuery & Sorting,
): Promise<Page<ContactRow>> {
  const { rule, ...plain } = filter
  const plan = {
    table: 'crm.contacts',
    columns: contactColumns,
    order: { ...orders[sort_by], isDescending: sort_dir === 'desc' },
    walks: walksFor(await conditionsOf(tx, filter), sort_by),
    joined: rule && withAccount,
    fingerprint: { ...plain, rule: rule?.written },
  }
  return await walkPage<ContactRow>(tx, plan, page)
}

/** Rules may also ask about the account. */
const withAccount = sql`left join crm.accounts as ${sql.ref(joinedAccount)}
  on ${sql.ref(joinedAccount)}.id = crm.contacts.account_id and ${sql.ref(joinedAccount)}.deleted_at is null`

type Conditions = { stages?: readonly string[]; rest: Condition[] }

async function conditionsOf(tx: TenantTx, filter: ContactFilter): Promise<Conditions> {
  const { account_id, owner_id, lifecycle_stage, rule } = filter
  const rest = await hitConditions(tx, 'contact', filter)
  if (account_id === 'none') rest.push(sql`crm.contacts.account_name is null`)
  // Who works at an account that was deleted keeps the link, in case it is brought back, and has no name of it.
  else if (account_id)
    rest.push(sql`crm.contacts.account_id = ${account_id}::uuid and crm.contacts.account_name is not null`)
  if (owner_id) rest.push(sql`crm.contacts.owner_id = ${owner_id}::uuid`)
  if (rule) rest.push(ruleCondition(rule.rule, { alias: 'crm.contacts', objectType: 'contact' }, rule.asker))
  return { stages: lifecycle_stage && [...new Set(lifecycle_stage)], rest }
}

/** By creation and by stage an index keeps each stage in order, so several stages are one walk for each. */
function walksFor({ stages, rest }: Conditions, sort: ContactSort): Walk[] {
  if (!stages) return [{ held: [isLive, ...rest] }]
  if (!['created_at', 'lifecycle_stage'].includes(sort))
    return [{ held: [isLive, sql<SqlBool>`crm.contacts.lifecycle_stage = any (${stages}::text[])`, ...rest] }]
  return stages.map((stage) => ({
    held: [isLive, sql<SqlBool>`crm.contacts.lifecycle_stage = ${stage}`, ...rest],
  }))
}
