import { findUserNames, resolveOwnerId, toReferenceOrNull, toUserReference } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { removeHiddenValues } from '../../records/custom-values/custom-values.queries.ts'
import { parseListRule } from '../../records/filters/list-rule.service.ts'
import { findAccountNames } from '../../records/references/record-names.queries.ts'
import { accountAlias, contactFields } from './contact-values.ts'
import { type ContactRow, type ContactSummaryRow, listContactsById } from './contacts.queries.ts'
import type { Contact, ContactQuery, ContactSummary, ListedContact } from './contacts.schemas.ts'
import { type ContactFilter, listContactRows, listContactSummaryRows } from './list-contacts.queries.ts'

type ListServices = Pick<Services, 'clock' | 'registry'>

export async function listContacts(
  tx: TenantTx,
  actor: UserActor,
  { fields, limit, offset, cursor, count, sort_by, sort_dir, ...filter }: ContactQuery,
  services: ListServices,
): Promise<Page<ListedContact>> {
  const filters = await parseContactFilter(tx, actor, filter, services)
  const query = { limit, offset, cursor, count, sort_by, sort_dir }
  if (fields === 'summary') {
    const { items, ...page } = await listContactSummaryRows(tx, filters, query)
    return { ...page, items: await toContactSummaries(tx, items) }
  }
  const { items, ...page } = await listContactRows(tx, filters, query)
  return { ...page, items: await toContacts(tx, items) }
}

type ContactFilterQuery = Pick<
  ContactQuery,
  'search' | 'account_id' | 'lifecycle_stage' | 'owner_id' | 'tag' | 'filter'
>

/** Resolves `me` and parses the rule. */
export async function parseContactFilter(
  tx: TenantTx,
  actor: UserActor,
  { filter, owner_id, search, account_id, lifecycle_stage, tag }: ContactFilterQuery,
  services: ListServices,
): Promise<ContactFilter> {
  const joined = { objectType: 'account', alias: accountAlias } as const
  const vocabulary = { objectType: 'contact', fields: contactFields, joined } as const
  const rule = await parseListRule(tx, actor, filter, vocabulary, services)
  return { search, account_id, lifecycle_stage, tag, owner_id: resolveOwnerId(owner_id, actor), rule }
}

async function toContactSummaries(tx: TenantTx, rows: readonly ContactSummaryRow[]): Promise<ContactSummary[]> {
  const names = await findNames(tx, rows)
  return rows.map((row) => {
    const { account_id: _, owner_id: __, ...fields } = row
    return { ...fields, ...toReferences(row, names) } as ContactSummary
  })
}

export async function toContacts(tx: TenantTx, rows: readonly ContactRow[]): Promise<Contact[]> {
  const names = await findNames(tx, rows)
  return rows.map((row) => {
    const references = toReferences(row, names)
    const { account } = references
    return {
      ...(row as unknown as Contact),
      ...references,
      account_id: account?.id ?? null,
      account_name: account?.name ?? null,
    }
  })
}

export const toContactDetails = async (tx: TenantTx, row: ContactRow): Promise<Contact> =>
  (await toContacts(tx, await removeHiddenValues(tx, 'contact', [row])))[0]!

export const listContactDetails = async (tx: TenantTx, ids: readonly string[]): Promise<Contact[]> =>
  await toContacts(tx, await removeHiddenValues(tx, 'contact', await listContactsById(tx, ids)))

type References = Pick<ContactRow, 'account_id' | 'owner_id'>
type Names = Awaited<ReturnType<typeof findNames>>

async function findNames(tx: TenantTx, rows: readonly References[]) {
  const [accounts, owners] = await Promise.all([
    findAccountNames(
      tx,
      rows.flatMap(({ account_id }) => account_id ?? []),
    ),
    findUserNames(
      tx,
      rows.flatMap(({ owner_id }) => owner_id ?? []),
    ),
  ])
  return { accounts, owners }
}

/** A deleted account is shown as null. */
const toReferences = ({ account_id, owner_id }: References, { accounts, owners }: Names) => ({
  account: toReferenceOrNull(accounts, account_id),
  owner: toUserReference(owners, owner_id),
})
