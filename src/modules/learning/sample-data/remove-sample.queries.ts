import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Modules and enrollments are deleted with their paths. Locks in id order to avoid deadlocks. */
export async function deleteSampleLearning(tx: TenantTx, paths: readonly string[]): Promise<void> {
  await sql`select id from enablement.learning_paths where id = any (${paths}::uuid[]) order by id for update`.execute(
    tx,
  )
  await sql`
    select id from enablement.learning_enrollments where path_id = any (${paths}::uuid[]) order by id for update
  `.execute(tx)
  await sql`
    select id from enablement.certificates where path_id = any (${paths}::uuid[]) order by id for update
  `.execute(tx)
  await sql`delete from enablement.certificates where path_id = any (${paths}::uuid[]) returning id`.execute(tx)
  await sql`delete from enablement.learning_paths where id = any (${paths}::uuid[]) returning id`.execute(tx)
}
