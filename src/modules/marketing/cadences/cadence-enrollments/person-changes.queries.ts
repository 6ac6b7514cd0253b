import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type EnrollmentRow, enrollmentColumns } from '../cadence-records/enrollments.queries.ts'

/** The lead that an enrollment had before a merge. `is_ended` is set if the merge ended it; earlier versions wrote `ended`. */
export type MergeOrigin = { lead_id: string; is_ended?: true; ended?: object }
export type MergedEnrollment = EnrollmentRow & { merge_origins: MergeOrigin[] }

export type PersonKind = 'lead' | 'contact'
export type PersonIdLists = { leadIds: readonly string[]; contactIds: readonly string[] }

export const toPersonLists = (kind: PersonKind, ids: readonly string[]): PersonIdLists =>
  kind === 'lead' ? { leadIds: ids, contactIds: [] } : { leadIds: [], contactIds: ids }

const ofPersons = ({ leadIds, contactIds }: PersonIdLists) =>
  sql<boolean>`(lead_id = any (${leadIds}::uuid[]) or contact_id = any (${contactIds}::uuid[]))`

export async function listLiveEnrollmentIds(tx: TenantTx, persons: PersonIdLists): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select('id')
    .where(ofPersons(persons))
    .where('status', 'in', ['active', 'paused'])
    .execute()
  return rows.map(({ id }) => id)
}

export async function listEnrollmentIds(tx: TenantTx, persons: PersonIdLists): Promise<string[]> {
  const rows = await tx.selectFrom('marketing.cadence_enrollments').select('id').where(ofPersons(persons)).execute()
  return rows.map(({ id }) => id)
}

export async function listMergedEnrollments(tx: TenantTx, ids: readonly string[]): Promise<MergedEnrollment[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select([...enrollmentColumns, 'merge_origins'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .execute()
  return rows as unknown as MergedEnrollment[]
}

export type LiveAddress = { id: string; cadence_id: string; person_email_key: string }

export async function listLiveAddresses(tx: TenantTx, emailKeys: readonly string[]): Promise<LiveAddress[]> {
  if (!emailKeys.length) return []
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select(['id', 'cadence_id', 'person_email_key'])
    .where('person_email_key', '=', sql<string>`any(${emailKeys}::text[])`)
    .where('status', 'in', ['active', 'paused'])
    .execute()
  return rows as LiveAddress[]
}

export type EnrollmentMove = {
  id: string
  lead_id: string | null
  contact_id: string | null
  merge_origins: MergeOrigin[]
}

export async function moveEnrollments(tx: TenantTx, moves: readonly EnrollmentMove[]): Promise<void> {
  if (!moves.length) return
  await sql`
    update marketing.cadence_enrollments enrollment
    set lead_id = moved.lead_id, contact_id = moved.contact_id, merge_origins = moved.merge_origins
    from json_to_recordset(${JSON.stringify(moves)}::json)
      as moved (id uuid, lead_id uuid, contact_id uuid, merge_origins jsonb)
    where enrollment.id = moved.id and enrollment.id = any (${moves.map(({ id }) => id)}::uuid[])
  `.execute(tx)
}

export async function updateEmailKeys(
  tx: TenantTx,
  changes: readonly { id: string; person_email_key: string | null }[],
): Promise<void> {
  if (!changes.length) return
  await sql`
    update marketing.cadence_enrollments enrollment set person_email_key = changed.person_email_key
    from json_to_recordset(${JSON.stringify(changes)}::json) as changed (id uuid, person_email_key text)
    where enrollment.id = changed.id and enrollment.id = any (${changes.map(({ id }) => id)}::uuid[])
  `.execute(tx)
}
