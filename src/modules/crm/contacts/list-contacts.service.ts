import { findUserNames } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { removeHiddenValues } from '../custom-values/custom-values.queries.ts'
import { resolveOwnerId } from '../lists/list-filter.rules.ts'
import { parseListRule } from '../lists/list-rule.service.ts'
import { findAccountNames } from '../records/record-names.queries.ts'
import { toReferenceOrNull, toUserReference } from '../records/references.rules.ts'
import { accountAlias, contactFields } from './contact-fields.ts'
import { type ContactRow, listContactsById } from './contacts.queries.ts'
import type { Contact, ContactQuery } from './contacts.schemas.ts'
import { listContactRows } from './list-contacts.queries.ts'

export async function listContacts(
  tx: TenantTx,
  actor: UserActor,
  { filter, owner_id, search, account_id, lifecycle_stage, tag, ...page }: ContactQuery,
  services: Pick<Services, 'clock' | 'registry'>,
): Promise<Page<Contact>> {
  const joined = { objectType: 'account', alias: accountAlias } as const
  const vocabulary = { objectType: 'contact', fields: contactFields, joined } as const
  const rule = await parseListRule(tx, actor, filter, vocabulary, services)
  const filters = { search, account_id, lifecycle_stage, tag, owner_id: resolveOwnerId(owner_id, actor), rule }
  const { items, ...rest } = await listContactRows(tx, filters, page)
  return { ...rest, items: await showContacts(tx, items) }
}

/** A deleted account is shown as null. */
async function showContacts(tx: TenantTx, rows: readonly ContactRow[]): Promise<Contact[]> {
  const accounts = await findAccountNames(
    tx,
    rows.flatMap(({ account_id }) => account_id ?? []),
  )
  const owners = await findUserNames(
    tx,
    rows.flatMap(({ owner_id }) => owner_id ?? []),
  )
  return rows.map((row) => toContact(row, accounts, owners))
}

export const toContactDetails = async (tx: TenantTx, row: ContactRow): Promise<Contact> =>
  (await showContacts(tx, await removeHiddenValues(tx, 'contact', [row])))[0]!

export const listContactDetails = async (tx: TenantTx, ids: readonly string[]): Promise<Contact[]> =>
  await showContacts(tx, await removeHiddenValues(tx, 'contact', await listContactsById(tx, ids)))

type Names = ReadonlyMap<string, string>

function toContact(row: ContactRow, accounts: Names, owners: Names): Contact {
  const account = toReferenceOrNull(accounts, row.account_id)
  return {
    ...(row as unknown as Contact),
    account_id: account?.id ?? null,
    account_name: account?.name ?? null,
    account,
    owner: toUserReference(owners, row.owner_id),
  }
}
