import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Prerequisite paths of a path that the user has not completed. Only published ones count, because no user can begin the others. */
export async function listOpenPrerequisites(tx: TenantTx, pathId: string, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select prerequisite.id from enablement.learning_paths path
    join enablement.learning_paths prerequisite on prerequisite.id = any (path.prerequisite_path_ids)
    where path.id = ${pathId}::uuid and prerequisite.deleted_at is null and prerequisite.status = 'published' and not exists (
      select from enablement.learning_enrollments enrollment
      where enrollment.path_id = prerequisite.id and enrollment.user_id = ${userId}::uuid and enrollment.status = 'completed')
    order by prerequisite.id
  `.execute(tx)
  return rows.map(({ id }) => id)
}
