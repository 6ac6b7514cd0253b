import { sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

const isOpenAndDue = sql<boolean>`status in ('not_started', 'in_progress') and due_on is not null`

/** Workspaces with open enrollments that are due about now, in any time zone. */
export const listTenantsWithDueEnrollments = (
  system: SystemTx,
  { from, to }: { from: string; to: string },
): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) =>
    listTenantsWithRows(
      tx,
      'enablement.learning_enrollments',
      sql`${isOpenAndDue} and due_on between ${from}::date and ${to}::date`,
    ),
  )

export type DueEnrollment = { id: string; user_id: string; due_on: string; title: string }

/** A page of the open enrollments of active users that are due on one of the days. */
export async function listDueEnrollments(
  tx: TenantTx,
  days: readonly string[],
  { after, limit }: { after: { due_on: string; id: string }; limit: number },
): Promise<DueEnrollment[]> {
  const { rows } = await sql<DueEnrollment>`
    select enrollment.id, enrollment.user_id, enrollment.due_on, path.title
    from enablement.learning_enrollments enrollment
    join enablement.learning_paths path on path.id = enrollment.path_id
    where enrollment.status in ('not_started', 'in_progress') and enrollment.due_on is not null
      and enrollment.due_on = any (${days}::date[])
      and (enrollment.due_on, enrollment.id) > (${after.due_on}::date, ${after.id}::uuid)
    order by enrollment.due_on, enrollment.id limit ${limit}
  `.execute(tx)
  return rows
}
