import { sql } from 'kysely'
import { acquireAdvisoryLocks, selectRows, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { type EnrollmentRow, enrollmentColumns } from '../cadence-records/enrollments.queries.ts'

/** The same person can be a lead and a contact, and can be enrolled in two cadences at the same time. */
export const lockPersonsToEnroll = (tx: TenantTx, emailKeys: readonly string[]) =>
  acquireAdvisoryLocks(
    tx,
    emailKeys.map((key) => `cadence_person:${key}`),
  )

export type EnrollmentOfPerson = Pick<
  EnrollmentRow,
  'id' | 'lead_id' | 'contact_id' | 'person_email_key' | 'cadence_id' | 'status' | 'exit_reason' | 'ended_at'
>
type PersonKeys = {
  leadIds: readonly string[]
  contactIds: readonly string[]
  emailKeys: readonly string[]
  enrollmentIds: readonly string[]
}

/** The enrollments with these ids, and of the others the last one of the persons in each cadence for each way in which it ended. */
export async function listEnrollmentsOfPersons(
  tx: TenantTx,
  { leadIds, contactIds, emailKeys, enrollmentIds }: PersonKeys,
): Promise<EnrollmentOfPerson[]> {
  const columns = sql`id, lead_id, contact_id, person_email_key, cadence_id, status, exit_reason, ended_at`
  const group = sql`lead_id, contact_id, person_email_key, cadence_id, status, exit_reason, is_given`
  const { rows } = await sql<EnrollmentOfPerson>`
    select distinct on (${group}) ${columns}
    from (
      select ${columns}, false as is_given from marketing.cadence_enrollments where lead_id = any (${leadIds}::uuid[])
      union
      select ${columns}, false from marketing.cadence_enrollments where contact_id = any (${contactIds}::uuid[])
      union
      select ${columns}, false from marketing.cadence_enrollments where person_email_key = any (${emailKeys}::text[])
      union
      select ${columns}, true from marketing.cadence_enrollments where id = any (${enrollmentIds}::uuid[])
    ) as enrollment
    order by ${group}, ended_at desc
  `.execute(tx)
  return rows
}

export type NewEnrollment = Pick<
  EnrollmentRow,
  'id' | 'cadence_id' | 'lead_id' | 'contact_id' | 'person_email_key' | 'sender_id' | 'enrolled_by' | 'enrolled_via'
> & { current_step_id: string; enrolled_at: Date }

/** Leaves out persons who were enrolled by another transaction since they were checked. */
export async function insertEnrollments(tx: TenantTx, enrollments: readonly NewEnrollment[]): Promise<EnrollmentRow[]> {
  if (!enrollments.length) return []
  const { columns, rows } = selectRows(enrollments, {
    id: 'uuid',
    cadence_id: 'uuid',
    lead_id: 'uuid',
    contact_id: 'uuid',
    person_email_key: 'text',
    sender_id: 'uuid',
    current_step_id: 'uuid',
    enrolled_by: 'uuid',
    enrolled_via: 'text',
    enrolled_at: 'timestamptz',
  })
  const inserted = await tx
    .insertInto('marketing.cadence_enrollments')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(enrollmentColumns)
    .execute()
  return inserted as unknown as EnrollmentRow[]
}

export async function getEnrollment(tx: TenantTx, cadenceId: string, id: string): Promise<EnrollmentRow> {
  const row = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select(enrollmentColumns)
    .where('cadence_id', '=', cadenceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('enrollment')
  return row as unknown as EnrollmentRow
}
