import { type Static, Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, type StartedTask, startTask } from '#platform/tasks'
import { findSegment, type SegmentRow } from '../segments/segments.queries.ts'
import type { EnrollProgress } from './enroll.rules.ts'
import { type Enrollment, enrollBatch, noProgress, recordEnrollment } from './enroll-batch.service.ts'

const EnrollInput = strict({
  segment_id: Id,
  target_type: Type.String(),
  target_id: Id,
  options: strict({ sender_id: Type.Optional(Id), member_status: Type.Optional(Type.String()) }),
  by: TaskRequester,
})
const enrollTask = defineTask('segments.enroll', 'bulk', EnrollInput)

const batchSize = 500

export function startEnrollTask(
  tx: TenantTx,
  actor: UserActor,
  { id, name }: SegmentRow,
  enrollment: Enrollment,
): Promise<StartedTask> {
  const details = { title: `Enroll members: ${name}`, resource: { type: 'segment', id } }
  return startTask(tx, enrollTask, { ...enrollment, by: toTaskRequester(actor) }, details)
}

type EnrollInput = Static<typeof EnrollInput>
type EnrollServices = Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>

type TaskProgress = EnrollProgress & { isComplete: boolean }

/** Ends with the members enrolled so far if the segment was deleted. */
export const enrollSegmentHandler = (services: EnrollServices): JobHandler =>
  defineTaskHandler<typeof EnrollInput, TaskProgress>(
    enrollTask,
    async (context, { by, ...enrollment }: EnrollInput) => {
      const progress = await runTaskBatches(context, services, {
        requester: by,
        scopes: ['segments.write'],
        start: { ...noProgress, isComplete: false },
        isComplete: ({ isComplete }) => isComplete,
        countDone: ({ matched }) => matched,
        async runBatch(tx, actor, progress) {
          if (!(await findSegment(tx, enrollment.segment_id))) return { ...progress, isComplete: true }
          const next = await enrollBatch(
            tx,
            actor,
            enrollment,
            { progress, limit: batchSize, requestKey: context.taskId },
            services,
          )
          return { ...next, isComplete: next.matched - progress.matched < batchSize }
        },
      })
      if (progress.matched)
        await context.inTenant(async (tx) => {
          const segment = await findSegment(tx, enrollment.segment_id)
          if (segment) await recordEnrollment(tx, segment, enrollment, progress)
        })
      const { matched, enrolled, skipped } = progress
      return { matched, enrolled, skipped }
    },
  )
