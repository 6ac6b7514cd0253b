import { Type } from 'typebox'
import {
  countMatchingRecords,
  listMatchingIds,
  listRecordLabels,
  listRecordSummaries,
  readRuleContext,
} from '#modules/crm'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { countLimit, decodeCursor, type Page, type TenantTx, toPage, toTotal } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { Id } from '#platform/schema'
import { segmentMembersChanged } from '../../marketing.events.ts'
import { assertRecordsExist } from '../segments/create-segment.service.ts'
import { markCountsDue } from '../segments/member-counts.queries.ts'
import { assertMayChange, assertMayReadMembers } from '../segments/segment.rules.ts'
import { deleteSegmentMembers, insertSegmentMembers } from '../segments/segment-members.queries.ts'
import { requireSegmentRule } from '../segments/segment-rule.service.ts'
import { getSegmentRow } from '../segments/segments.queries.ts'
import type { ChangedMembers, MemberChanges, SegmentMember, SegmentMemberQuery } from './segment-members.schemas.ts'

type MemberServices = Pick<Services, 'clock' | 'registry'>

const SortKey = Type.Tuple([Id])
const maxCounted = { capped: countLimit + 1, exact: Number.MAX_SAFE_INTEGER }

export async function listSegmentMembers(
  tx: TenantTx,
  actor: UserActor,
  segmentId: string,
  { fields, ...page }: SegmentMemberQuery,
  services: MemberServices,
): Promise<Page<SegmentMember>> {
  const segment = await getSegmentRow(tx, segmentId)
  assertMayReadMembers(actor, segment.object_type)
  const rule = await requireSegmentRule(tx, segment, services)
  const now = services.clock.now()
  const context = await readRuleContext(tx, now, actor.userId)
  const [after] = page.cursor ? decodeCursor(page.cursor, SortKey) : []
  const { cursor, offset, limit, count = 'capped' } = page
  const ids = await listMatchingIds(tx, rule, context, { after, offset, limit: limit + 1 })
  const isCounted = !cursor && count !== 'none'
  const matching = isCounted ? await countMatchingRecords(tx, rule, context, maxCounted[count]) : 0
  const { items, ...rest } = toPage(
    ids.map((id) => ({ id })),
    toTotal(matching, page),
    page,
    ({ id }) => [id],
  )
  const shown = items.map(({ id }) => id)
  const labels = await listRecordLabels(tx, segment.object_type, shown)
  if (fields === 'summary') return { ...rest, items: labels }
  const records = await listRecordSummaries(tx, segment.object_type, shown, now)
  return { ...rest, items: labels.map((label) => ({ ...label, [segment.object_type]: records.get(label.id) })) }
}

export async function updateSegmentMembers(
  tx: TenantTx,
  actor: UserActor,
  segmentId: string,
  { add = [], remove = [] }: MemberChanges,
): Promise<ChangedMembers> {
  const segment = await getSegmentRow(tx, segmentId)
  assertMayChange(actor, segment)
  if (segment.kind !== 'static')
    throw conflict('conflict', 'The rules of a dynamic segment select its members. Change the rules instead.')
  assertNoOverlap(add, remove)
  await assertRecordsExist(tx, segment.object_type, add, '/add')
  const added = add.length ? await insertSegmentMembers(tx, segment, add, actor.userId) : 0
  const removed = remove.length ? await deleteSegmentMembers(tx, segmentId, remove) : 0
  if (added + removed) {
    await markCountsDue(tx, [segmentId])
    await recordAudit(tx, 'segment.members_changed', { id: segmentId, label: segment.name, after: { added, removed } })
    await emit(tx, segmentMembersChanged, segment, { added, removed })
  }
  return { added, removed }
}

function assertNoOverlap(add: readonly string[], remove: readonly string[]): void {
  const added = new Set(add)
  const index = remove.findIndex((id) => added.has(id))
  if (index >= 0)
    throw invalid('body', `/remove/${index}`, 'contradiction', '`remove` must not contain a record of `add`.')
}
