import { toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { maxInline, runInlineOrTask, type StartedTask } from '#platform/tasks'
import { segmentFlowStarted } from '../../marketing.events.ts'
import type { SegmentRow } from '../segments/segments.queries.ts'
import { startEnrollTask } from './enroll.jobs.ts'
import { assertUsesSender } from './enroll.rules.ts'
import {
  checkEnrollment,
  type Enrollment,
  type EnrollServices,
  enrollMembers,
  listMembersToEnroll,
  noProgress,
  recordEnrollment,
} from './enroll-batch.service.ts'
import { enqueueFlowRun } from './run-flows.jobs.ts'
import { upsertFlow } from './segment-flows.queries.ts'
import type { EnrollRequest, EnrollResponse } from './segment-flows.schemas.ts'

/** Enrolls up to 200 members at once and more in a task; with `continuous` a flow enrolls present and later members. */
export async function enrollSegment(
  tx: TenantTx,
  actor: UserActor,
  segmentId: string,
  { target_type, target_id, mode = 'once', ...options }: EnrollRequest,
  services: EnrollServices,
): Promise<EnrollResponse | StartedTask> {
  const enrollment: Enrollment = { segment_id: segmentId, target_type, target_id, options }
  const checked = await checkEnrollment(tx, actor, enrollment, services)
  const { segment, target } = checked
  assertUsesSender(target, options)
  if (mode === 'continuous') return await startFlow(tx, actor, segment, enrollment)
  const ids = await listMembersToEnroll(tx, actor, checked, { limit: maxInline + 1 }, services)
  return await runInlineOrTask(ids.length, {
    async runInline() {
      const batch = { ids, progress: noProgress, requestKey: newId() }
      const progress = await enrollMembers(tx, actor, { ...enrollment, ...checked }, batch, services)
      await recordEnrollment(tx, segment, enrollment, progress)
      const { after: _, ...result } = progress
      return { ...result, flow_id: null }
    },
    startTask: () => startEnrollTask(tx, actor, segment, enrollment),
  })
}

async function startFlow(
  tx: TenantTx,
  actor: UserActor,
  segment: SegmentRow,
  { target_type, target_id, options }: Enrollment,
): Promise<EnrollResponse> {
  const flow = await upsertFlow(tx, {
    id: newId(),
    segment_id: segment.id,
    target_type,
    target_id,
    created_by: actor.userId,
    options: JSON.stringify(options),
    requested_by: JSON.stringify(toTaskRequester(actor)),
  })
  const target = { flow_id: flow.id, target_type, target_id }
  await recordAudit(tx, 'segment.flow_started', { id: segment.id, label: segment.name, after: target })
  await emit(tx, segmentFlowStarted, segment, target)
  await enqueueFlowRun(tx, flow.id)
  return { matched: null, enrolled: null, skipped: null, flow_id: flow.id }
}
