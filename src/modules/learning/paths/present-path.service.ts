import { findUserNames, toUserReference } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { PathRow } from '../records/path-row.ts'
import { listModuleTotals, listOwnEnrollments } from './paths.queries.ts'
import type { Path } from './paths.schemas.ts'

/** Presents paths with the enrollments of a user; without a user, as other systems get them. */
export async function presentPaths(
  tx: TenantTx,
  rows: readonly PathRow[],
  { userId }: { userId: string | null },
): Promise<Path[]> {
  if (!rows.length) return []
  const ids = rows.map(({ id }) => id)
  const [totals, enrollments, owners] = await Promise.all([
    listModuleTotals(tx, ids),
    userId === null ? [] : listOwnEnrollments(tx, userId, ids),
    findUserNames(
      tx,
      rows.flatMap(({ owner_id }) => owner_id ?? []),
    ),
  ])
  return rows.map((row) => {
    const total = totals.find(({ path_id }) => path_id === row.id)
    const own = enrollments.find(({ path_id }) => path_id === row.id)
    return {
      ...row,
      module_count: total?.modules ?? 0,
      estimated_minutes: total?.minutes ?? 0,
      owner: toUserReference(owners, row.owner_id),
      enrollment: own ? { id: own.id, status: own.status, progress_rate: own.progress_rate, due_on: own.due_on } : null,
    }
  })
}
