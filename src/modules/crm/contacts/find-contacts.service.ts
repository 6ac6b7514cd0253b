import { namesOfUsers } from '#modules/identity'
import type { SignedIn } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { namesOfAccounts } from '../accounts/accounts.queries.ts'
import { readListRule } from '../lists/list-rule.service.ts'
import { contactFields } from './contact-fields.ts'
import type { ContactRow } from './contacts.queries.ts'
import type { Contact, ContactQuery } from './contacts.schemas.ts'
import { listContacts } from './list-contacts.queries.ts'

/** Whom we know, or those of them that are asked for. */
export async function findContacts(
  tx: TenantTx,
  actor: SignedIn,
  { filter, owner_id, search, account_id, lifecycle_stage, tag, ...page }: ContactQuery,
  services: Pick<Services, 'clock' | 'registry'>,
): Promise<Page<Contact>> {
  const words = { objectType: 'contact', fields: contactFields }
  const rule = await readListRule(tx, actor, filter, words, services)
  const owner = owner_id === 'me' ? actor.userId : owner_id
  const asked = { search, account_id, lifecycle_stage, tag, owner_id: owner, rule }
  const { items, ...rest } = await listContacts(tx, asked, page)
  return { ...rest, items: await showContacts(tx, items) }
}

/** Contacts as people see them. An account that was deleted is none, until it is brought back. */
export async function showContacts(tx: TenantTx, rows: readonly ContactRow[]): Promise<Contact[]> {
  const accounts = await namesOfAccounts(
    tx,
    rows.flatMap(({ account_id }) => account_id ?? []),
  )
  const owners = await namesOfUsers(
    tx,
    rows.flatMap(({ owner_id }) => owner_id ?? []),
  )
  return rows.map((row) => toContact(row, accounts, owners))
}

export const showContact = async (tx: TenantTx, row: ContactRow): Promise<Contact> =>
  (await showContacts(tx, [row]))[0]!

type Names = ReadonlyMap<string, string>

function toContact(row: ContactRow, accounts: Names, owners: Names): Contact {
  const { account_id, owner_id } = row
  const accountName = account_id === null ? undefined : accounts.get(account_id)
  const hasAccount = account_id !== null && accountName !== undefined
  return {
    ...(row as unknown as Contact),
    account_id: hasAccount ? account_id : null,
    account_name: accountName ?? null,
    account: hasAccount ? { id: account_id, name: accountName } : null,
    owner: owner_id === null ? null : { id: owner_id, name: owners.get(owner_id) ?? '' },
  }
}
