import { listExistingIds, lockCustomFieldsShared, parseRecordRule } from '#modules/crm'
import { assertAssignable } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, toSearchText } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { segmentCreated } from '../../marketing.events.ts'
import { assertMembersGiven, assertSegmentLimit, listReferences } from './segment.rules.ts'
import { toSegmentDetails } from './segment-details.service.ts'
import { insertSegmentMembers } from './segment-members.queries.ts'
import { replaceReferences } from './segment-references.queries.ts'
import { countSegments, findSegmentIdByName, insertSegment, lockSegments } from './segments.queries.ts'
import type { ChangedSegment, NewSegment, SegmentType } from './segments.schemas.ts'
import { takeSnapshot } from './snapshot.jobs.ts'

export type SegmentServices = Pick<Services, 'clock' | 'registry'>

export async function createSegment(
  tx: TenantTx,
  actor: UserActor,
  input: NewSegment,
  services: SegmentServices,
): Promise<ChangedSegment> {
  assertMembersGiven(input)
  const { object_type, name, description, kind = 'dynamic', rules, record_ids = [], owner_id = actor.userId } = input
  await lockRuleFields(tx, object_type)
  await lockSegments(tx)
  assertSegmentLimit(await countSegments(tx))
  await assertNameIsFree(tx, object_type, name)
  await assertAssignable(tx, owner_id)
  await assertRecordsExist(tx, object_type, record_ids, '/record_ids')
  const id = newId()
  const rule = rules && (await parseRecordRule(tx, object_type, rules, services, { within: [id] }))

  const segment = await insertSegment(tx, {
    id,
    object_type,
    name,
    description,
    kind,
    owner_id,
    created_by: actor.userId,
    rules: rules ? JSON.stringify(rules) : null,
    search_text: toSearchText(name, description),
  })
  if (kind === 'dynamic') await replaceReferences(tx, id, listReferences(rules!, object_type))
  if (record_ids.length) await insertSegmentMembers(tx, segment, record_ids, actor.userId)
  const task_id =
    kind === 'static' && rule ? await takeSnapshot(tx, actor, { segment, rules: rules!, rule }, services) : null
  await recordAudit(tx, 'segment.created', { id, label: name, after: segment })
  await emit(tx, segmentCreated, segment, { object_type, kind })
  return { ...(await toSegmentDetails(tx, segment, services)), task_id }
}

/** Keeps the custom fields of the rules until the transaction ends, so that a deletion finds the segments that use them. */
export async function lockRuleFields(tx: TenantTx, objectType: SegmentType): Promise<void> {
  await lockCustomFieldsShared(tx, objectType)
}

export async function assertNameIsFree(
  tx: TenantTx,
  objectType: SegmentType,
  name: string,
  ownId?: string,
): Promise<void> {
  const existing = await findSegmentIdByName(tx, objectType, name)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'A segment with this name and object type already exists.', {
      existing_id: existing,
    })
}

export async function assertRecordsExist(
  tx: TenantTx,
  objectType: SegmentType,
  ids: readonly string[],
  path: string,
): Promise<void> {
  if (!ids.length) return
  const existing = new Set(await listExistingIds(tx, objectType, ids))
  const unknown = ids.findIndex((id) => !existing.has(id))
  if (unknown >= 0) throw unknownReference(`${path}/${unknown}`, objectType)
}
