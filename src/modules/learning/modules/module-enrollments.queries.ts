import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type PathRow, pathColumns } from '../records/path-row.ts'

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

/** Locks all paths with a module of the item, in id order, before any of their enrollments. */
export const lockPathsWithContent = (tx: TenantTx, contentItemId: string): Promise<PathRow[]> =>
  tx
    .selectFrom('enablement.learning_paths')
    .select(pathColumns)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('enablement.learning_modules')
        .select('path_id')
        .where('content_item_id', '=', contentItemId)
        .where('removed_at', 'is', null),
    )
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .$castTo<PathRow>()
    .execute()
