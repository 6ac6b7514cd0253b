import { findContactCards, findLeadCards } from '#modules/crm'
import { findUserNames, toUserReference } from '#modules/identity'
import type { Page, TenantTx } from '#platform/db'
import { getCadenceRow } from '../cadence-records/cadences.queries.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import type { CadenceEnrollment, EnrollmentQuery } from './enrollments.schemas.ts'
import { listEnrollmentRows } from './list-enrollments.queries.ts'

export async function listCadenceEnrollments(
  tx: TenantTx,
  cadenceId: string,
  { limit, offset, cursor, count, ...filter }: EnrollmentQuery,
): Promise<Page<CadenceEnrollment>> {
  await getCadenceRow(tx, cadenceId)
  const { items, ...page } = await listEnrollmentRows(tx, cadenceId, filter, { limit, offset, cursor, count })
  return { ...page, items: await toEnrollments(tx, items) }
}

export const toEnrollment = async (tx: TenantTx, row: EnrollmentRow): Promise<CadenceEnrollment> =>
  (await toEnrollments(tx, [row]))[0]!

export async function toEnrollments(tx: TenantTx, rows: readonly EnrollmentRow[]): Promise<CadenceEnrollment[]> {
  const [leads, contacts, senders] = await Promise.all([
    findLeadCards(
      tx,
      rows.flatMap(({ lead_id }) => lead_id ?? []),
    ),
    findContactCards(
      tx,
      rows.flatMap(({ contact_id }) => contact_id ?? []),
    ),
    findUserNames(
      tx,
      rows.flatMap(({ sender_id }) => sender_id ?? []),
    ),
  ])
  return rows.map(({ lead_id, contact_id, ...row }) => ({
    ...(row as unknown as CadenceEnrollment),
    lead: (lead_id && leads.get(lead_id)) || null,
    contact: (contact_id && contacts.get(contact_id)) || null,
    sender: toUserReference(senders, row.sender_id),
  }))
}
