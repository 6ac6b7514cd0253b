import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { segmentFlowStopped } from '../../marketing.events.ts'
import { assertMayDelete } from '../segments/segment.rules.ts'
import { withTargets } from '../segments/segment-names.service.ts'
import { getSegmentRow, type SegmentRow } from '../segments/segments.queries.ts'
import { notifyFlowStopped } from './flow-notifications.ts'
import {
  type FlowRow,
  listFlowRows,
  lockFlow,
  lockFlowsInto,
  lockFlowsOfType,
  stopActiveFlow,
} from './segment-flows.queries.ts'
import type { FlowQuery, SegmentFlow } from './segment-flows.schemas.ts'

export async function listSegmentFlows(
  tx: TenantTx,
  segmentId: string,
  query: FlowQuery,
  services: Pick<Services, 'registry'>,
): Promise<Page<SegmentFlow>> {
  await getSegmentRow(tx, segmentId)
  const { items, ...page } = await listFlowRows(tx, segmentId, query)
  return { ...page, items: await withTargets(tx, services, items) }
}

/** Keeps the flow, so that a later one with the same target does not enroll members again. */
export async function deleteSegmentFlow(
  tx: TenantTx,
  actor: UserActor,
  { segment_id, flow_id }: { segment_id: string; flow_id: string },
): Promise<void> {
  const segment = await getSegmentRow(tx, segment_id)
  const flow = await lockFlow(tx, segment_id, flow_id)
  if (flow.created_by !== actor.userId) assertMayDelete(actor, segment)
  if (flow.is_active) await stopFlowOf(tx, flow, null)
}

/** Does nothing if another run has stopped the flow. A `reason` is not a request of a user, so the owner is told. */
export async function stopFlowOf(tx: TenantTx, flow: FlowRow, reason: string | null): Promise<void> {
  const segment = await endFlow(tx, flow, reason)
  if (segment && reason !== null) await notifyFlowStopped(tx, segment, reason.slice(0, 500))
}

async function endFlow(tx: TenantTx, flow: FlowRow, reason: string | null): Promise<SegmentRow | undefined> {
  const segment = await getSegmentRow(tx, flow.segment_id)
  if (!(await stopActiveFlow(tx, flow.id, reason?.slice(0, 500) ?? null))) return undefined
  const target = { flow_id: flow.id, target_type: flow.target_type, target_id: flow.target_id }
  await recordAudit(tx, 'segment.flow_stopped', { id: segment.id, label: segment.name, after: { ...target, reason } })
  await emit(tx, segmentFlowStopped, segment, { ...target, reason })
  return segment
}

/** Stops all flows into targets of a type without telling their owners. Returns their number. */
export async function stopFlowsOfType(tx: TenantTx, type: string, reason: string): Promise<number> {
  const flows = await lockFlowsOfType(tx, type)
  for (const flow of flows) await endFlow(tx, flow, reason)
  return flows.length
}

/** Flows cannot go on without their target. */
export async function stopFlowsInto(
  tx: TenantTx,
  { type, id, reason }: { type: string; id: string; reason: string },
): Promise<void> {
  for (const flow of await lockFlowsInto(tx, type, id)) await stopFlowOf(tx, flow, reason)
}
