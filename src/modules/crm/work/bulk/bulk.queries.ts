import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { recordTables } from '../../records/custom-values/custom-values.queries.ts'
import type { BulkKind } from './bulk-kind.ts'

/** Locks the records that exist, ordered by id to avoid deadlocks. */
export async function lockExistingIds(
  tx: TenantTx,
  { type }: BulkKind,
  ids: readonly string[],
  { isDeleted }: { isDeleted: boolean },
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom(recordTables[type])
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', isDeleted ? 'is not' : 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Set(rows.map(({ id }) => id))
}
