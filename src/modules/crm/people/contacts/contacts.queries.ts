import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { acquireAdvisoryLock, acquireAdvisoryLocks, type Database, selectRows, type TenantTx } from '#platform/db'
import { AppError, notFound } from '#platform/errors'

type Contacts = Database['crm.contacts']

export const contactSummaryColumns = [
  'id',
  'name',
  'email',
  'phone',
  'title',
  'account_id',
  'owner_id',
  'lifecycle_stage',
  'email_status',
  'last_activity_at',
  'tags',
  'custom',
  'created_at',
  'version',
] as const
export type ContactSummaryRow = Pick<Selectable<Contacts>, (typeof contactSummaryColumns)[number]>

export const contactColumns = [
  'id',
  'first_name',
  'last_name',
  'name',
  'name_key',
  'email',
  'email_key',
  'phone',
  'phone_e164',
  'title',
  'department',
  'account_id',
  'account_name',
  'owner_id',
  'lifecycle_stage',
  'mql_at',
  'sql_at',
  'opportunity_at',
  'customer_at',
  'former_customer_at',
  'linkedin_url',
  'country',
  'region',
  'city',
  'timezone',
  'source',
  'email_status',
  'call_status',
  'processing_restricted',
  'last_activity_at',
  'last_engaged_at',
  'lead_id',
  'tags',
  'notes',
  'custom',
  'import_id',
  'merged_into_id',
  'created_by',
  'created_at',
  'updated_at',
  'deleted_at',
  'deleted_by',
  'version',
] as const
export type ContactRow = Pick<Selectable<Contacts>, (typeof contactColumns)[number]>

const selectContact = (tx: TenantTx, id: string) =>
  tx.selectFrom('crm.contacts').select(contactColumns).where('id', '=', id)

/** The 404 of a merged contact contains `merged_into_id`. */
export async function getContact(tx: TenantTx, id: string): Promise<ContactRow> {
  return requireNotDeleted(await selectContact(tx, id).executeTakeFirst())
}

export const findContactIncludingDeleted = (tx: TenantTx, id: string): Promise<ContactRow | undefined> =>
  selectContact(tx, id).executeTakeFirst()

/** Leaves out deleted and unknown contacts. */
export const listContactsById = (tx: TenantTx, ids: readonly string[]): Promise<ContactRow[]> =>
  tx
    .selectFrom('crm.contacts')
    .select(contactColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()

export async function lockContact(tx: TenantTx, id: string): Promise<ContactRow> {
  return requireNotDeleted(await lockContactIncludingDeleted(tx, id))
}

export const lockContactIncludingDeleted = (tx: TenantTx, id: string): Promise<ContactRow | undefined> =>
  selectContact(tx, id).forNoKeyUpdate().executeTakeFirst()

/** Skips unknown and deleted contacts. Ordered by id to avoid deadlocks. */
export const lockContacts = (tx: TenantTx, ids: readonly string[]): Promise<ContactRow[]> =>
  selectContactsForUpdate(tx, ids).where('deleted_at', 'is', null).execute()

export const lockContactsIncludingDeleted = (tx: TenantTx, ids: readonly string[]): Promise<ContactRow[]> =>
  selectContactsForUpdate(tx, ids).execute()

const selectContactsForUpdate = (tx: TenantTx, ids: readonly string[]) =>
  tx
    .selectFrom('crm.contacts')
    .select(contactColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()

function requireNotDeleted(contact: ContactRow | undefined): ContactRow {
  if (contact && contact.deleted_at === null) return contact
  if (contact?.merged_into_id)
    throw new AppError(404, 'not_found', 'This contact was merged into another contact.', {
      extra: { merged_into_id: contact.merged_into_id },
    })
  throw notFound('contact')
}

const updatedTypes = {
  first_name: 'text',
  last_name: 'text',
  name_key: 'text',
  email: 'text',
  phone: 'text',
  phone_e164: 'text',
  title: 'text',
  department: 'text',
  account_id: 'uuid',
  account_name: 'text',
  owner_id: 'uuid',
  lifecycle_stage: 'text',
  mql_at: 'timestamptz',
  sql_at: 'timestamptz',
  opportunity_at: 'timestamptz',
  customer_at: 'timestamptz',
  former_customer_at: 'timestamptz',
  linkedin_url: 'text',
  country: 'text',
  region: 'text',
  city: 'text',
  timezone: 'text',
  source: 'text',
  email_status: 'text',
  call_status: 'text',
  processing_restricted: 'boolean',
  tags: 'text[]',
  notes: 'text',
  custom: 'jsonb',
  search_text: 'text',
} as const
const insertedTypes = {
  ...updatedTypes,
  id: 'uuid',
  lead_id: 'uuid',
  import_id: 'uuid',
  created_by: 'uuid',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

export type NewContactRow = Pick<Insertable<Contacts>, keyof typeof insertedTypes> & { id: string }

export async function insertContacts(tx: TenantTx, contacts: readonly NewContactRow[]): Promise<ContactRow[]> {
  if (!contacts.length) return []
  const { columns, rows } = selectRows<{ [C in keyof typeof insertedTypes]?: unknown }>(contacts, insertedTypes)
  const inserted = await tx
    .insertInto('crm.contacts')
    .columns(columns)
    .expression(rows as never)
    .returning(contactColumns)
    .execute()
  const byId = new Map(inserted.map((contact) => [contact.id, contact]))
  return contacts.map(({ id }) => byId.get(id)!)
}

type ContactValues = ContactRow & { search_text: string }

/** Writes all columns of every contact, so that the text of the statement does not depend on what has changed. */
export async function updateContactRows(tx: TenantTx, contacts: readonly ContactValues[]): Promise<ContactRow[]> {
  if (!contacts.length) return []
  const columns = Object.keys(updatedTypes)
  const { rows } = await sql<ContactRow>`
    update crm.contacts contact
    set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = changed.${sql.ref(column)}`))}
    from jsonb_populate_recordset(null::crm.contacts, ${JSON.stringify(contacts)}::jsonb) as changed
    where contact.id = changed.id
    returning ${sql.join(contactColumns.map((column) => sql.ref(`contact.${column}`)))}
  `.execute(tx)
  const byId = new Map(rows.map((contact) => [contact.id, contact]))
  return contacts.map(({ id }) => byId.get(id)!)
}

export function updateContactRow(tx: TenantTx, id: string, fields: Updateable<Contacts>): Promise<ContactRow> {
  return tx
    .updateTable('crm.contacts')
    .set(fields)
    .where('id', '=', id)
    .returning(contactColumns)
    .executeTakeFirstOrThrow()
}

/** Gives several contacts the same values. */
export function updateContactRowsAlike(
  tx: TenantTx,
  ids: readonly string[],
  fields: Updateable<Contacts>,
): Promise<ContactRow[]> {
  return tx
    .updateTable('crm.contacts')
    .set(fields)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(contactColumns)
    .execute()
}

/** Serializes concurrent writes of the same email address. Take it before any contact or account row lock. */
export async function lockContactEmail(tx: TenantTx, emailKey: string): Promise<void> {
  await acquireAdvisoryLock(tx, `contact_address:${emailKey}`)
}

export async function lockContactEmails(tx: TenantTx, emailKeys: readonly string[]): Promise<void> {
  await acquireAdvisoryLocks(
    tx,
    emailKeys.map((emailKey) => `contact_address:${emailKey}`),
  )
}

export async function findContactIdByEmail(tx: TenantTx, emailKey: string): Promise<string | undefined> {
  const contact = await tx
    .selectFrom('crm.contacts')
    .select('id')
    .where('email_key', '=', emailKey)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return contact?.id
}

export async function findContactIdsByEmails(tx: TenantTx, emailKeys: readonly string[]): Promise<Map<string, string>> {
  const contacts = await tx
    .selectFrom('crm.contacts')
    .select(['email_key', 'id'])
    .where('email_key', '=', sql<string>`any(${emailKeys}::text[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(contacts.map(({ email_key, id }) => [email_key!, id]))
}
