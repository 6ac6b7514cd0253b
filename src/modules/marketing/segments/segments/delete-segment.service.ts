import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { emit } from '#platform/outbox'
import { segmentDeleted } from '../../marketing.events.ts'
import { assertMayDelete, assertUnused } from './segment.rules.ts'
import { listSegmentUses } from './segment-references.queries.ts'
import { deleteSegmentRow, lockSegment, lockSegments } from './segments.queries.ts'

export async function deleteSegment(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { expectedVersion }: { expectedVersion?: number },
): Promise<void> {
  await lockSegments(tx)
  const segment = await lockSegment(tx, id)
  assertMayDelete(actor, segment)
  assertVersion(segment, expectedVersion)
  assertUnused(await listSegmentUses(tx, id))

  await deleteSegmentRow(tx, id)
  await recordAudit(tx, 'segment.deleted', { id, label: segment.name, before: segment })
  await emit(tx, segmentDeleted, segment, { object_type: segment.object_type })
}
