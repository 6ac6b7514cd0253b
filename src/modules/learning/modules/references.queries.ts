import type { TenantTx } from '#platform/db'
import { type PathRow, pathColumns } from '../records/path-row.ts'

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
