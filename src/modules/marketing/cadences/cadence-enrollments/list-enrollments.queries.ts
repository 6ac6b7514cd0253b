import { sql } from 'kysely'
import { type Condition, hasFilter, type Page, type PagePlan, readPage, type TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { type EnrollmentRow, enrollmentColumns } from '../cadence-records/enrollments.queries.ts'
import type { EnrollmentQuery, PersonEnrollmentQuery } from './enrollments.schemas.ts'

const table = 'marketing.cadence_enrollments'
const column = (name: string) => sql.ref(`${table}.${name}`)

/** Sorts by id, which has the order of the enrollments. */
export function listEnrollmentRows(
  tx: TenantTx,
  cadenceId: string,
  { sort = '-enrolled_at', ...filter }: Omit<EnrollmentQuery, keyof PageQuery>,
  page: PageQuery,
): Promise<Page<EnrollmentRow>> {
  const { status, step_id, sender_id, exit_reason } = filter
  const conditions: Condition[] = [sql`${column('cadence_id')} = ${cadenceId}::uuid`]
  if (status) conditions.push(sql`${column('status')} = ${status}`)
  if (step_id) conditions.push(sql`${column('current_step_id')} = ${step_id}::uuid`)
  if (sender_id) conditions.push(sql`${column('sender_id')} = ${sender_id}::uuid`)
  if (exit_reason) {
    conditions.push(sql`${column('exit_reason')} = ${exit_reason}`)
    if (!status) conditions.push(sql`${column('status')} = 'exited'`)
  }
  const plan: PagePlan = {
    table,
    columns: enrollmentColumns,
    order: { by: {}, isDescending: sort.startsWith('-') },
    scans: [{ conditions }],
    filters: { cadenceId, ...filter },
    plansForValues: hasFilter(filter),
  }
  return readPage<EnrollmentRow>(tx, plan, page)
}

export type Person = { lead_id: string } | { contact_id: string }

/** Like `listEnrollmentRows`, for the enrollments of a person in all cadences. */
export function listPersonEnrollmentRows(
  tx: TenantTx,
  person: Person,
  { status, sort = '-enrolled_at' }: Pick<PersonEnrollmentQuery, 'status' | 'sort'>,
  page: PageQuery,
): Promise<Page<EnrollmentRow>> {
  const conditions: Condition[] = [
    'lead_id' in person
      ? sql`${column('lead_id')} = ${person.lead_id}::uuid`
      : sql`${column('contact_id')} = ${person.contact_id}::uuid`,
  ]
  if (status) conditions.push(sql`${column('status')} = any (${status}::text[])`)
  const plan: PagePlan = {
    table,
    columns: enrollmentColumns,
    order: { by: {}, isDescending: sort.startsWith('-') },
    scans: [{ conditions }],
    filters: { ...person, status },
  }
  return readPage<EnrollmentRow>(tx, plan, page)
}
