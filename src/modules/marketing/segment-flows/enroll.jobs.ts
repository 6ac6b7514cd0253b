import { type Static, Type } from 'typebox'
import { resolveTaskRequester, TaskRequester, toTaskRequester } from '#modules/identity'
import type { Scope, UserActor } from '#platform/access'
import { inTenant, retryOnContention, type TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, type StartedTask, startTask } from '#platform/tasks'
import { getSegmentRow, type SegmentRow } from '../segments/segments.queries.ts'
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
type EnrollServices = Pick<Services, 'db' | 'clock' | 'registry'>

const scopes: Scope[] = ['segments.write']

/** The checkpoint is saved in the transaction of its batch, so a retry neither repeats nor skips members. */
export const enrollSegmentHandler = (services: EnrollServices): JobHandler =>
  defineTaskHandler<typeof EnrollInput, EnrollProgress>(
    enrollTask,
    async (context, { by, ...enrollment }: EnrollInput) => {
      const { checkpoint, signal } = context
      let progress = checkpoint.value ?? noProgress
      const enrollNext = async (tx: TenantTx, actor: UserActor): Promise<EnrollProgress> => {
        const next = await enrollBatch(tx, actor, enrollment, { progress, limit: batchSize }, services)
        if (next.matched > progress.matched) await checkpoint.save(tx, next)
        return next
      }
      const runBatch = async (): Promise<boolean> => {
        const actor = await context.inTenant((tx) =>
          resolveTaskRequester(tx, by, { scopes, now: services.clock.now() }),
        )
        const enroll = () => inTenant(services.db, actor, (tx) => enrollNext(tx, actor), 'job')
        const next = await retryOnContention(enroll, signal)
        const isLast = next.matched - progress.matched < batchSize
        progress = next
        context.reportProgress(progress.matched)
        return isLast
      }
      let isDone: boolean | undefined = false
      while (isDone === false && !(await context.isCancelled())) isDone = await runBatch().catch(context.failWith)
      if (progress.matched)
        await context.inTenant(async (tx) =>
          recordEnrollment(tx, await getSegmentRow(tx, enrollment.segment_id), enrollment, progress),
        )
      const { after: _, ...result } = progress
      return result
    },
  )
