import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type PathRow, pathColumns } from '../learning-records/path-row.ts'

type References = { contentIds: readonly string[]; scenarioIds: readonly string[]; promptIds: readonly string[] }

/** Content, scenarios and prompts that a published path may use. */
export async function listUsableIds(
  tx: TenantTx,
  { contentIds, scenarioIds, promptIds }: References,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.content_items
    where id = any (${contentIds}::uuid[]) and status = 'published' and deleted_at is null
    union all select id from enablement.coaching_scenarios
    where id = any (${scenarioIds}::uuid[]) and status = 'published' and deleted_at is null
    union all select id from enablement.pitch_prompts
    where id = any (${promptIds}::uuid[]) and status = 'active' and deleted_at is null
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
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
