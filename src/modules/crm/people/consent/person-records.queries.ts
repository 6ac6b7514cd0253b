import { type Selectable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import type { PersonKind, PersonRef } from './consent-events.queries.ts'

export type PersonSubjects = { emails: readonly string[]; phones: readonly string[] }
export type PersonRecordIds = { leads: string[]; contacts: string[] }

/** Reads at most `limit` ids per index. They are in ascending order, because the rows are locked in this order. */
export function findPersonIds(
  tx: TenantTx,
  { emails, phones }: PersonSubjects,
  limit: number,
): Promise<PersonRecordIds> {
  const idsIn = (table: 'crm.leads' | 'crm.contacts') => sql`array(
    (select id from ${sql.table(table)} where email_key = any (${emails}::text[]) and deleted_at is null limit ${limit})
    union (select id from ${sql.table(table)} where phone_e164 = any (${phones}::text[]) and deleted_at is null limit ${limit})
    order by 1)`
  const found = sql<PersonRecordIds>`(select ${idsIn('crm.leads')} as leads, ${idsIn('crm.contacts')} as contacts)`
  return tx.selectFrom(found.as('found')).select(['leads', 'contacts']).executeTakeFirstOrThrow()
}

const personColumns = [
  'id',
  'name',
  'email_key',
  'phone_e164',
  'email_status',
  'call_status',
  'processing_restricted',
  'merged_into_id',
  'deleted_at',
  'version',
] as const
export type PersonRow = Pick<Selectable<Database['crm.contacts']>, (typeof personColumns)[number]>

export function findPersonIncludingDeleted(tx: TenantTx, { kind, id }: PersonRef): Promise<PersonRow | undefined> {
  const table = kind === 'lead' ? 'crm.leads' : 'crm.contacts'
  return tx.selectFrom(table).select(personColumns).where('id', '=', id).executeTakeFirst()
}

export function listPersonEmails(tx: TenantTx, kind: PersonKind, ids: readonly string[]) {
  return tx
    .selectFrom(kind === 'lead' ? 'crm.leads' : 'crm.contacts')
    .select(['id', 'email_key', 'email_status'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Skips deleted contacts. Ordered by id to avoid deadlocks. */
export function lockPersonContacts(tx: TenantTx, ids: readonly string[]): Promise<PersonRow[]> {
  return tx
    .selectFrom('crm.contacts')
    .select(personColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export function updatePersonContacts(
  tx: TenantTx,
  ids: readonly string[],
  fields: Updateable<Database['crm.contacts']>,
): Promise<PersonRow[]> {
  return tx
    .updateTable('crm.contacts')
    .set(fields)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(personColumns)
    .execute()
}

type StricterRecord = Pick<PersonRow, 'email_key' | 'email_status' | 'processing_restricted'>

/** A record can be stricter than its email address, for example after a merge. */
export async function listBlockedRecords(tx: TenantTx, emails: readonly string[]): Promise<StricterRecord[]> {
  const { rows } = await sql<StricterRecord>`
    select email_key, email_status, processing_restricted from crm.leads
    where email_key = any (${emails}::text[]) and deleted_at is null and (email_status not in ('unknown', 'subscribed') or processing_restricted)
    union
    select email_key, email_status, processing_restricted from crm.contacts
    where email_key = any (${emails}::text[]) and deleted_at is null and (email_status not in ('unknown', 'subscribed') or processing_restricted)
  `.execute(tx)
  return rows
}
