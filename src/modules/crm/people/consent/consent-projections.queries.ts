import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { emailStatuses } from './consent.rules.ts'
import type { PersonRecordIds } from './person-records.queries.ts'

export type ProjectedChannel = 'email' | 'phone' | 'processing'
export type ConsentProjection = { subject: string; channel: ProjectedChannel; strictest_status: string }

const valuesOf = (projections: readonly ConsentProjection[]) => sql`unnest(
  ${projections.map(({ subject }) => subject)}::text[], ${projections.map(({ channel }) => channel)}::text[],
  ${projections.map(({ strictest_status }) => strictest_status)}::text[])`

export async function upsertProjections(tx: TenantTx, projections: readonly ConsentProjection[]): Promise<void> {
  const rank = (status: string) => sql`coalesce(array_position(${emailStatuses}::text[], ${sql.ref(status)}::text), 0)`
  await sql`
    insert into crm.consent_projections as projection (subject, channel, strictest_status)
    select subject, channel, status from ${valuesOf(projections)} as requested (subject, channel, status)
    order by subject, channel
    on conflict (tenant_id, subject, channel) do update set strictest_status = excluded.strictest_status
    where ${rank('excluded.strictest_status')} > ${rank('projection.strictest_status')}
  `.execute(tx)
}

export function listProjections(tx: TenantTx, limit: number): Promise<ConsentProjection[]> {
  return tx
    .selectFrom('crm.consent_projections')
    .select(['subject', 'channel', 'strictest_status'])
    .orderBy('subject')
    .orderBy('channel')
    .limit(limit)
    .$castTo<ConsentProjection>()
    .execute()
}

export async function deleteProjections(tx: TenantTx, projections: readonly ConsentProjection[]): Promise<void> {
  await sql`
    delete from crm.consent_projections projection
    using ${valuesOf(projections)} as done (subject, channel, status)
    where projection.subject = done.subject and projection.channel = done.channel
  `.execute(tx)
}

export async function deleteProjectionsOf(tx: TenantTx, subjects: readonly string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('crm.consent_projections')
    .where('subject', '=', sql<string>`any(${subjects}::text[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Values of records that no longer follow from the consent of their email address or phone number. */
export type OutdatedValues = {
  emails: readonly { subject: string; status: string }[]
  phones: readonly { subject: string; status: string }[]
  restrictions: readonly { subject: string; is_restricted: boolean }[]
}

/** Reads at most `limit` ids per index, in ascending order. */
export function findOutdatedIds(
  tx: TenantTx,
  { emails, phones, restrictions }: OutdatedValues,
  limit: number,
): Promise<PersonRecordIds> {
  const subjectsOf = (values: readonly { subject: string }[]) => values.map(({ subject }) => subject)
  const statusesOf = (values: readonly { status: string }[]) => values.map(({ status }) => status)
  const idsIn = (table: 'crm.leads' | 'crm.contacts') => sql`array(
    (select record.id from unnest(${subjectsOf(emails)}::text[], ${statusesOf(emails)}::text[]) as outdated (subject, status)
      join ${sql.table(table)} record on record.email_key = outdated.subject and record.email_status = outdated.status
      where record.deleted_at is null limit ${limit})
    union (select record.id from unnest(${subjectsOf(phones)}::text[], ${statusesOf(phones)}::text[]) as outdated (subject, status)
      join ${sql.table(table)} record on record.phone_e164 = outdated.subject and record.call_status = outdated.status
      where record.deleted_at is null limit ${limit})
    union (select record.id from unnest(${subjectsOf(restrictions)}::text[],
        ${restrictions.map(({ is_restricted }) => is_restricted)}::boolean[]) as outdated (subject, is_restricted)
      join ${sql.table(table)} record
        on record.email_key = outdated.subject and record.processing_restricted = outdated.is_restricted
      where record.deleted_at is null limit ${limit})
    order by 1 limit ${limit})`
  const found = sql<PersonRecordIds>`(select ${idsIn('crm.leads')} as leads, ${idsIn('crm.contacts')} as contacts)`
  return tx.selectFrom(found.as('found')).select(['leads', 'contacts']).executeTakeFirstOrThrow()
}
