import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function hasEnrollments(tx: TenantTx, pathId: string): Promise<boolean> {
  const enrollment = await tx
    .selectFrom('enablement.learning_enrollments')
    .select('id')
    .where('path_id', '=', pathId)
    .limit(1)
    .executeTakeFirst()
  return enrollment !== undefined
}

export async function countOpenEnrollments(tx: TenantTx, pathId: string): Promise<number> {
  const { open } = await tx
    .selectFrom('enablement.learning_enrollments')
    .select(sql<number>`count(*)::int`.as('open'))
    .where('path_id', '=', pathId)
    .where('status', '=', sql<string>`any ('{not_started,in_progress}'::text[])`)
    .executeTakeFirstOrThrow()
  return open
}
