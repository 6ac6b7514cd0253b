import { parseRecordRule, type RecordRule } from '#modules/crm'
import { assertAssignable } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, toSearchText } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { segmentDeleted, segmentUpdated } from '../../marketing.events.ts'
import { assertNameIsFree, lockRuleFields, type SegmentServices } from './create-segment.service.ts'
import { reviewSegments } from './review-segments.service.ts'
import { assertMayChange, assertMayDelete, assertUnused, listReferences, longestChainAbove } from './segment.rules.ts'
import { toSegmentDetails } from './segment-details.service.ts'
import { listSegmentUses } from './segment-names.service.ts'
import { listUsesAbove, replaceReferences } from './segment-references.queries.ts'
import { requireSegmentRule } from './segment-rule.service.ts'
import {
  deleteSegmentRow,
  getSegmentRow,
  lockSegment,
  lockSegments,
  type SegmentRow,
  updateSegmentRow,
} from './segments.queries.ts'
import type { ChangedSegment, SegmentChanges } from './segments.schemas.ts'
import { takeSnapshot } from './snapshot.jobs.ts'

type SegmentUpdate = { changes: SegmentChanges; expectedVersion?: number }

export async function updateSegment(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: requested, expectedVersion }: SegmentUpdate,
  services: SegmentServices,
): Promise<ChangedSegment> {
  await lockRuleFields(tx, (await getSegmentRow(tx, id)).object_type)
  await lockSegments(tx)
  const segment = await lockSegment(tx, id)
  assertMayChange(actor, segment)
  assertVersion(segment, expectedVersion)
  const changes = changedFields(segment, requested) as Partial<SegmentRow>
  if (requested.rules && segment.state === 'invalid') changes.rules = requested.rules
  if (changes.kind === 'dynamic')
    throw conflict('invalid_transition', 'A static segment cannot become dynamic. Create a new segment.', {
      from: 'static',
      to: 'dynamic',
      allowed: [],
    })
  if (changes.name !== undefined) await assertNameIsFree(tx, segment.object_type, changes.name, id)
  await assertAssignable(tx, changes.owner_id)
  if (!Object.keys(changes).length) return { ...(await toSegmentDetails(tx, segment, services)), task_id: null }

  const rule = await parseChangedRule(tx, segment, changes, services)
  const after = { ...segment, ...changes }
  const updated = await updateSegmentRow(tx, id, {
    ...changes,
    ...(changes.rules && { rules: JSON.stringify(changes.rules) }),
    ...(rule && { state: 'ok', problems: '[]' }),
    search_text: toSearchText(after.name, after.description),
  } as Parameters<typeof updateSegmentRow>[2])
  await replaceReferences(tx, id, after.kind === 'dynamic' ? listReferences(after.rules!, after.object_type) : [])
  const task_id =
    changes.kind === 'static'
      ? await takeSnapshot(tx, actor, { segment: updated, rules: after.rules!, rule: rule! }, services)
      : null
  if (rule) await reviewUsers(tx, id, services)
  await recordAudit(tx, 'segment.updated', { id, label: updated.name, before: segment, after: updated })
  await emit(tx, segmentUpdated, updated, { changed: Object.keys(changes) })
  return { ...(await toSegmentDetails(tx, updated, services)), task_id }
}

/** New rules of a segment must not make the chain of segments that use it too long. */
async function parseChangedRule(
  tx: TenantTx,
  segment: SegmentRow,
  { rules, kind }: Partial<SegmentRow>,
  services: SegmentServices,
): Promise<RecordRule | undefined> {
  if (!rules) return kind === 'static' ? await requireSegmentRule(tx, segment, services) : undefined
  const within = [...longestChainAbove(segment.id, await listUsesAbove(tx, segment.id)), segment.id]
  return await parseRecordRule(tx, segment.object_type, rules, services, { within })
}

/** Segments that use the changed one can become valid or invalid with it. */
async function reviewUsers(tx: TenantTx, id: string, services: SegmentServices): Promise<void> {
  const users = new Set((await listUsesAbove(tx, id)).map(({ user }) => user))
  users.delete(id)
  await reviewSegments(tx, [...users], services)
}

export async function deleteSegment(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { expectedVersion }: { expectedVersion?: number },
  services: SegmentServices,
): Promise<void> {
  await lockSegments(tx)
  const segment = await lockSegment(tx, id)
  assertMayDelete(actor, segment)
  assertVersion(segment, expectedVersion)
  assertUnused(await listSegmentUses(tx, id, services))

  await deleteSegmentRow(tx, id)
  await recordAudit(tx, 'segment.deleted', { id, label: segment.name, before: segment })
  await emit(tx, segmentDeleted, segment, { object_type: segment.object_type })
}
