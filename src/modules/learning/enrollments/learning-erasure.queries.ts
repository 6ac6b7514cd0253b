import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Locks in id order to avoid deadlocks. */
export async function lockEnrollmentsOf(
  tx: TenantTx,
  column: 'user_id' | 'assigned_by',
  userId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.learning_enrollments where ${sql.ref(column)} = ${userId}::uuid
    order by id limit ${limit} for update
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Modules and attempts are deleted with their enrollment. */
export async function deleteEnrollments(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`delete from enablement.learning_enrollments where id = any (${ids}::uuid[]) returning id`.execute(tx)
}

export async function clearAssigner(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`
    update enablement.learning_enrollments set assigned_by = null where id = any (${ids}::uuid[]) returning id
  `.execute(tx)
}

export async function lockEnrollmentsReviewedBy(tx: TenantTx, userId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.learning_enrollments where id in (
      select enrollment_id from enablement.enrollment_modules where reviewed_by = ${userId}::uuid
      order by enrollment_id limit ${limit})
    order by id for update
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function clearReviewer(tx: TenantTx, userId: string, enrollmentIds: readonly string[]): Promise<number> {
  const { rows } = await sql`
    update enablement.enrollment_modules set reviewed_by = null
    where enrollment_id = any (${enrollmentIds}::uuid[]) and reviewed_by = ${userId}::uuid returning module_id
  `.execute(tx)
  return rows.length
}

/** Certificates keep their code, so that it is still known, without the holder. Locks in id order. */
export async function clearHolder(tx: TenantTx, userId: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.certificates where user_id = ${userId}::uuid order by id for update
  `.execute(tx)
  await sql`
    update enablement.certificates set user_id = null, holder_name = null, revoke_reason = null
    where id = any (${rows.map(({ id }) => id)}::uuid[]) returning id
  `.execute(tx)
  return rows.length
}
