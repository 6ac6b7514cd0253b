import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Database, holdTurn, type TenantTx } from '#platform/db'
import { AppError, notFound } from '#platform/errors'

type Contacts = Database['crm.contacts']

/** What the table says of a contact, but for what only lists and searches need. */
export const contactColumns = [
  ...(['id', 'first_name', 'last_name', 'name', 'name_key', 'email', 'email_key', 'phone', 'phone_e164'] as const),
  ...([
    'title',
    'department',
    'account_id',
    'account_name',
    'owner_id',
    'lifecycle_stage',
    'mql_at',
    'sql_at',
  ] as const),
  ...(['opportunity_at', 'customer_at', 'former_customer_at', 'linkedin_url', 'country', 'region', 'city'] as const),
  ...(['timezone', 'source', 'email_status', 'call_status', 'processing_restricted', 'last_activity_at'] as const),
  ...(['last_engaged_at', 'lead_id', 'tags', 'notes', 'custom', 'import_id', 'merged_into_id', 'created_by'] as const),
  ...(['created_at', 'updated_at', 'deleted_at', 'deleted_by', 'version'] as const),
] as const
export type ContactRow = Pick<Selectable<Contacts>, (typeof contactColumns)[number]>

const one = (tx: TenantTx, id: string) => tx.selectFrom('crm.contacts').select(contactColumns).where('id', '=', id)

/** A contact that was merged says where it went. */
export async function getContact(tx: TenantTx, id: string): Promise<ContactRow> {
  return living(await one(tx, id).executeTakeFirst())
}

/** Also one that was deleted. */
export const findAnyContact = (tx: TenantTx, id: string): Promise<ContactRow | undefined> =>
  one(tx, id).executeTakeFirst()

/** Nobody else changes the contact until the transaction ends. */
export async function lockContact(tx: TenantTx, id: string): Promise<ContactRow> {
  return living(await lockAnyContact(tx, id))
}

/** Also one that was deleted. */
export const lockAnyContact = (tx: TenantTx, id: string): Promise<ContactRow | undefined> =>
  one(tx, id).forNoKeyUpdate().executeTakeFirst()

/** Those of them that there are, locked in the order of their ids, so that two who lock several never wait for each other. */
export function lockContacts(tx: TenantTx, ids: readonly string[]): Promise<ContactRow[]> {
  return tx
    .selectFrom('crm.contacts')
    .select(contactColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

function living(contact: ContactRow | undefined): ContactRow {
  if (contact && contact.deleted_at === null) return contact
  if (contact?.merged_into_id)
    throw new AppError(404, 'not_found', 'This contact was merged into another one.', {
      extra: { merged_into_id: contact.merged_into_id },
    })
  throw notFound('contact')
}

export function insertContact(tx: TenantTx, contact: Insertable<Contacts>): Promise<ContactRow> {
  return tx.insertInto('crm.contacts').values(contact).returning(contactColumns).executeTakeFirstOrThrow()
}

/** The only way a contact changes. */
export function changeContactFields(tx: TenantTx, id: string, fields: Updateable<Contacts>): Promise<ContactRow> {
  return tx
    .updateTable('crm.contacts')
    .set(fields)
    .where('id', '=', id)
    .returning(contactColumns)
    .executeTakeFirstOrThrow()
}

/** One at a time for the same address, so that of two at once the second sees the first. Ahead of any contact or account. */
export async function holdContactAddress(tx: TenantTx, emailKey: string): Promise<void> {
  await holdTurn(tx, `contact_address:${emailKey}`)
}

export async function findContactIdByEmail(tx: TenantTx, emailKey: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('crm.contacts')
    .select('id')
    .where('email_key', '=', emailKey)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found?.id
}
