import { namesOfUsers } from '#modules/identity'
import type { SignedIn } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { moneyOf, toMoney } from '#platform/money'
import type { Contact, ContactQuery } from '../contacts/contacts.schemas.ts'
import { findContacts } from '../contacts/find-contacts.service.ts'
import { readListRule } from '../lists/list-rule.service.ts'
import { baseCurrencyOf } from '../settings/crm-settings.queries.ts'
import { accountFields } from './account-fields.ts'
import { type AccountRow, getAccount, namesOfAccounts, sumUpAccount } from './accounts.queries.ts'
import type { Account, AccountQuery, AccountSummary } from './accounts.schemas.ts'
import { listAccounts } from './list-accounts.queries.ts'

/** The companies we deal with, or those of them that are asked for. */
export async function findAccounts(
  tx: TenantTx,
  actor: SignedIn,
  { filter, owner_id, search, type, industry, parent_account_id, tag, ...page }: AccountQuery,
  services: Pick<Services, 'clock' | 'registry'>,
): Promise<Page<AccountSummary>> {
  const words = { objectType: 'account', fields: accountFields }
  const rule = await readListRule(tx, actor, filter, words, services)
  const owner = owner_id === 'me' ? actor.userId : owner_id
  const asked = { search, type, industry, parent_account_id, tag, owner_id: owner, rule }
  const { items, ...rest } = await listAccounts(tx, asked, page)
  return { ...rest, items: await showAccounts(tx, items) }
}

/** Who works at an account. */
export async function findAccountContacts(
  tx: TenantTx,
  actor: SignedIn,
  accountId: string,
  query: Omit<ContactQuery, 'account_id'>,
  services: Pick<Services, 'clock' | 'registry'>,
): Promise<Page<Contact>> {
  await getAccount(tx, accountId)
  return await findContacts(tx, actor, { ...query, account_id: accountId }, services)
}

/** Accounts as people see them in a list. A parent that was deleted is none, until it is brought back. */
export async function showAccounts(tx: TenantTx, rows: readonly AccountRow[]): Promise<AccountSummary[]> {
  const owners = await namesOfUsers(
    tx,
    rows.flatMap(({ owner_id }) => owner_id ?? []),
  )
  const parents = await namesOfAccounts(
    tx,
    rows.flatMap(({ parent_account_id }) => parent_account_id ?? []),
  )
  return rows.map((row) => toAccount(row, owners, parents))
}

/** One account, with how much there is of it. */
export async function showAccount(tx: TenantTx, row: AccountRow): Promise<Account> {
  const [summary] = await showAccounts(tx, [row])
  const { contacts, open_opportunities, open_minor, won_minor } = await sumUpAccount(tx, row.id)
  const currency = await baseCurrencyOf(tx)
  const stats = {
    contacts,
    open_opportunities,
    open_amount: toMoney(open_minor, currency),
    won_amount: toMoney(won_minor, currency),
    last_activity_at: row.last_activity_at,
  }
  return { ...summary!, stats }
}

type Names = ReadonlyMap<string, string>

function toAccount(row: AccountRow, owners: Names, parents: Names): AccountSummary {
  const { owner_id, parent_account_id } = row
  const parentName = parent_account_id === null ? undefined : parents.get(parent_account_id)
  const parent =
    parent_account_id === null || parentName === undefined ? null : { id: parent_account_id, name: parentName }
  return {
    ...(row as unknown as AccountSummary),
    annual_revenue: moneyOf(row.annual_revenue_minor, row.annual_revenue_currency),
    owner: owner_id === null ? null : { id: owner_id, name: owners.get(owner_id) ?? '' },
    parent_account_id: parent?.id ?? null,
    parent,
  }
}
