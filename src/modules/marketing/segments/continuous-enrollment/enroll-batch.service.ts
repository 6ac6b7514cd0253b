import { listMatchingIds, type RecordRule, readRuleContext } from '#modules/crm'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { segmentEnrolled } from '../../marketing.events.ts'
import { type EnrollOptions, type EnrollTarget, enrollTargetPoint } from '../segments/enroll-target.ts'
import { requireSegmentRule } from '../segments/segment-rule.service.ts'
import { getSegmentRow, type SegmentRow } from '../segments/segments.queries.ts'
import { addResult, type EnrollProgress, requirePersonType, requireTarget } from './enroll.rules.ts'
import {
  addToEnrolledCount,
  deleteFlowRecords,
  type FlowRow,
  insertFlowRecords,
  listNewMembers,
} from './segment-flows.queries.ts'

export type EnrollServices = Pick<Services, 'clock' | 'registry' | 'secrets'>

export type Enrollment = {
  segment_id: string
  target_type: string
  target_id: string
  options: EnrollOptions
}

export const noProgress: EnrollProgress = { after: nilUuid, matched: 0, enrolled: 0, skipped: {} }

type CheckedEnrollment = {
  segment: SegmentRow
  /** Selects the members. */
  rule: RecordRule
  objectType: 'lead' | 'contact'
  target: EnrollTarget
}

/** Checks segment, target and options; 409 `segment_invalid` if the rules are invalid. */
export async function checkEnrollment(
  tx: TenantTx,
  actor: UserActor,
  { segment_id, target_type, target_id, options }: Enrollment,
  services: EnrollServices,
): Promise<CheckedEnrollment> {
  const segment = await getSegmentRow(tx, segment_id)
  const objectType = requirePersonType(segment.object_type)
  const target = requireTarget(services.registry.extensionsOf(enrollTargetPoint), target_type, actor)
  const rule = await requireSegmentRule(tx, segment, services)
  await target.assertEnrollable(tx, actor, target_id, options)
  return { segment, rule, objectType, target }
}

export async function listMembersToEnroll(
  tx: TenantTx,
  actor: UserActor,
  { rule }: CheckedEnrollment,
  page: { after?: string; limit: number },
  { clock }: EnrollServices,
): Promise<string[]> {
  return await listMatchingIds(tx, rule, await readRuleContext(tx, clock.now(), actor.userId), page)
}

type MemberBatch = { ids: readonly string[]; progress: EnrollProgress; requestKey: string }

export async function enrollMembers(
  tx: TenantTx,
  actor: UserActor,
  { target_id, options, objectType, target }: Enrollment & CheckedEnrollment,
  { ids, progress, requestKey }: MemberBatch,
  services: EnrollServices,
): Promise<EnrollProgress> {
  if (!ids.length) return progress
  const records = { objectType, ids, now: services.clock.now(), requestKey }
  return addResult(progress, ids, await target.enroll(tx, actor, target_id, records, options, services))
}

/** Enrolls the next members of the segment after those of `progress`. */
export async function enrollBatch(
  tx: TenantTx,
  actor: UserActor,
  enrollment: Enrollment,
  { progress, limit, requestKey }: { progress: EnrollProgress; limit: number; requestKey: string },
  services: EnrollServices,
): Promise<EnrollProgress> {
  const checked = await checkEnrollment(tx, actor, enrollment, services)
  const ids = await listMembersToEnroll(tx, actor, checked, { after: progress.after, limit }, services)
  return await enrollMembers(tx, actor, { ...enrollment, ...checked }, { ids, progress, requestKey }, services)
}

export async function recordEnrollment(
  tx: TenantTx,
  segment: SegmentRow,
  { target_type, target_id }: Enrollment,
  { matched, enrolled, skipped }: EnrollProgress,
  flowId: string | null = null,
): Promise<void> {
  const target = { target_type, target_id, flow_id: flowId }
  await recordAudit(tx, 'segment.enrolled', {
    id: segment.id,
    label: segment.name,
    after: { ...target, matched, enrolled, skipped },
  })
  await emit(tx, segmentEnrolled, segment, { ...target, matched, enrolled })
}

/** Offers members to the target of a flow that it has not enrolled before. Returns the last id, or undefined at the end. */
export async function runFlowBatch(
  tx: TenantTx,
  actor: UserActor,
  flow: FlowRow,
  { after, limit }: { after: string; limit: number },
  services: EnrollServices,
): Promise<string | undefined> {
  const checked = await checkEnrollment(tx, actor, flow, services)
  const { rule } = checked
  const context = await readRuleContext(tx, services.clock.now(), actor.userId)
  const found = await listNewMembers(tx, flow.id, { rule, context }, { after, limit })
  if (found.length) await enrollFlowMembers(tx, actor, flow, checked, found, services)
  return found.length === limit ? found.at(-1) : undefined
}

/** Keeps only the members that the target took, so that the others are offered again when they may be enrolled. */
async function enrollFlowMembers(
  tx: TenantTx,
  actor: UserActor,
  flow: FlowRow,
  { segment, objectType, target }: CheckedEnrollment,
  found: readonly string[],
  services: EnrollServices,
): Promise<void> {
  const ids = await insertFlowRecords(tx, flow.id, { objectType, ids: found })
  if (!ids.length) return
  const requestKey = `${flow.id}:${actor.userId}`
  const records = { objectType, ids, now: services.clock.now(), requestKey }
  const result = await target.enroll(tx, actor, flow.target_id, records, flow.options, services)
  const rejected = result.rejectedIds ?? []
  if (rejected.length) await deleteFlowRecords(tx, flow.id, rejected)
  if (rejected.length === ids.length) return
  await recordEnrollment(tx, segment, flow, addResult(noProgress, ids, result), flow.id)
  await addToEnrolledCount(tx, flow.id, result.enrolled)
}
