import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { listSegmentUseRows } from './segment-references.queries.ts'
import { deleteSegmentRow, listSegmentsByIds, lockSegments } from './segments.queries.ts'

/** Returns the ids of segments that are kept, because other segments or active flows use them. */
export async function deleteSampleSegments(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  const kept: string[] = []
  await lockSegments(tx)
  for (const { id } of await listSegmentsByIds(tx, ids)) {
    const isUsed = (await listSegmentUseRows(tx, id)).length > 0
    if (isUsed) kept.push(id)
    else await deleteSegmentRow(tx, id)
  }
  const records = ids.length - kept.length
  await recordAudit(tx, 'segment.sample_removed', { id: null, label: 'Sample data', after: { records } })
  return kept
}
