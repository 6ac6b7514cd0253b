import { baseCurrencyOf, findUserNames, resolveOwnerId, toReferenceOrNull, toUserReference } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { moneyOf, toMoney } from '#platform/money'
import { removeHiddenValues } from '../../records/custom-values/custom-values.queries.ts'
import { accountFields } from '../../records/fields/account-fields.ts'
import { parseListRule } from '../../records/filters/list-rule.service.ts'
import { findAccountNames } from '../../records/references/record-names.queries.ts'
import type { ContactQuery, ListedContact } from '../contacts/contacts.schemas.ts'
import { listContacts } from '../contacts/list-contacts.service.ts'
import {
  type AccountRow,
  type AccountSummaryRow,
  type AccountTotals,
  getAccount,
  listAccountsById,
  listAccountTotals,
} from './accounts.queries.ts'
import type { Account, AccountQuery, AccountStats, AccountSummary, ListedAccount } from './accounts.schemas.ts'
import {
  type AccountFilter,
  type AccountPageQuery,
  listAccountRows,
  listAccountSummaryRows,
} from './list-accounts.queries.ts'

type ListServices = Pick<Services, 'clock' | 'registry'>

export async function listAccounts(
  tx: TenantTx,
  actor: UserActor,
  { fields, include, limit, offset, cursor, count, sort, ...filter }: AccountQuery,
  services: ListServices,
): Promise<Page<ListedAccount>> {
  const filters = await parseAccountFilter(tx, actor, filter, services)
  const query = { limit, offset, cursor, count, sort }
  const { items, ...page } = await readPage(tx, filters, query, fields)
  return { ...page, items: include === 'stats' ? await addStats(tx, items) : items }
}

type AccountFilterQuery = Pick<
  AccountQuery,
  'search' | 'type' | 'owner_id' | 'industry' | 'parent_account_id' | 'tag' | 'filter'
>

/** Resolves `me` and parses the rule. */
export async function parseAccountFilter(
  tx: TenantTx,
  actor: UserActor,
  { filter, owner_id, search, type, industry, parent_account_id, tag }: AccountFilterQuery,
  services: ListServices,
): Promise<AccountFilter> {
  const vocabulary = { objectType: 'account', fields: accountFields } as const
  const rule = await parseListRule(tx, actor, filter, vocabulary, services)
  return { search, type, industry, parent_account_id, tag, owner_id: resolveOwnerId(owner_id, actor), rule }
}

async function readPage(
  tx: TenantTx,
  filters: AccountFilter,
  query: AccountPageQuery,
  fields: AccountQuery['fields'],
): Promise<Page<ListedAccount>> {
  if (fields === 'summary') {
    const { items, ...page } = await listAccountSummaryRows(tx, filters, query)
    return { ...page, items: await toAccountSummaries(tx, items) }
  }
  const { items, ...page } = await listAccountRows(tx, filters, query)
  return { ...page, items: await toListedAccounts(tx, items) }
}

async function toAccountSummaries(tx: TenantTx, rows: readonly AccountSummaryRow[]): Promise<AccountSummary[]> {
  const owners = await findOwnerNames(tx, rows)
  return rows.map(
    ({ owner_id, ...fields }) => ({ ...fields, owner: toUserReference(owners, owner_id) }) as AccountSummary,
  )
}

const findOwnerNames = (tx: TenantTx, rows: readonly Pick<AccountRow, 'owner_id'>[]) =>
  findUserNames(
    tx,
    rows.flatMap(({ owner_id }) => owner_id ?? []),
  )

export async function listAccountContacts(
  tx: TenantTx,
  actor: UserActor,
  accountId: string,
  query: Omit<ContactQuery, 'account_id'>,
  services: Pick<Services, 'clock' | 'registry'>,
): Promise<Page<ListedContact>> {
  await getAccount(tx, accountId)
  return await listContacts(tx, actor, { ...query, account_id: accountId }, services)
}

/** A deleted parent is shown as null. */
export async function toListedAccounts(tx: TenantTx, rows: readonly AccountRow[]): Promise<FullAccount[]> {
  const [owners, parents] = await Promise.all([
    findOwnerNames(tx, rows),
    findAccountNames(
      tx,
      rows.flatMap(({ parent_account_id }) => parent_account_id ?? []),
    ),
  ])
  return rows.map((row) => toListedAccount(row, owners, parents))
}

export async function toAccountDetails(tx: TenantTx, row: AccountRow): Promise<Account> {
  return (await showAccountsWithStats(tx, [row]))[0]!
}

export async function listAccountDetails(tx: TenantTx, ids: readonly string[]): Promise<Account[]> {
  return await showAccountsWithStats(tx, await listAccountsById(tx, ids))
}

const showAccountsWithStats = async (tx: TenantTx, rows: readonly AccountRow[]): Promise<Account[]> =>
  await addStats(tx, await toListedAccounts(tx, await removeHiddenValues(tx, 'account', rows)))

async function addStats<Listed extends ListedAccount>(
  tx: TenantTx,
  accounts: readonly Listed[],
): Promise<(Listed & { stats: AccountStats })[]> {
  const totals = await listAccountTotals(
    tx,
    accounts.map(({ id }) => id),
  )
  const currency = await baseCurrencyOf(tx)
  return accounts.map((account) => ({ ...account, stats: toStats(account, totals.get(account.id)!, currency) }))
}

const toStats = (
  { last_activity_at }: ListedAccount,
  { contacts, open_opportunities, open_minor, won_minor }: AccountTotals,
  currency: string,
): AccountStats => ({
  contacts,
  open_opportunities,
  open_amount: toMoney(open_minor, currency),
  won_amount: toMoney(won_minor, currency),
  last_activity_at,
})

type FullAccount = Required<Omit<ListedAccount, 'stats'>>
type Names = ReadonlyMap<string, string>

function toListedAccount(row: AccountRow, owners: Names, parents: Names): FullAccount {
  const { owner_id, parent_account_id } = row
  const parent = toReferenceOrNull(parents, parent_account_id)
  return {
    ...(row as unknown as FullAccount),
    annual_revenue: moneyOf(row.annual_revenue_minor, row.annual_revenue_currency),
    owner: toUserReference(owners, owner_id),
    parent_account_id: parent?.id ?? null,
    parent,
  }
}
