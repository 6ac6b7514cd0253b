import { type Static, Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, type StartedTask, startTask } from '#platform/tasks'
import { enrollPersons } from './enroll-persons.service.ts'
import {
  addSkipped,
  countOutcomes,
  type EnrollCounts,
  type EnrollOutcome,
  toEnrolledPersons,
} from './enroll-result.rules.ts'

const EnrollInput = strict({
  cadence_id: Id,
  lead_ids: Type.Array(Id),
  contact_ids: Type.Array(Id),
  sender_id: Type.Optional(Id),
  by: TaskRequester,
})
const enrollTask = defineTask('marketing.enroll_persons', 'bulk', EnrollInput)

const batchSize = 500

type Progress = EnrollCounts & { done: number; listed: EnrollOutcome[] }

export function startEnrolling(
  tx: TenantTx,
  actor: UserActor,
  task: Omit<Static<typeof EnrollInput>, 'by'>,
): Promise<StartedTask> {
  const total = task.lead_ids.length + task.contact_ids.length
  return startTask(
    tx,
    enrollTask,
    { ...task, by: toTaskRequester(actor) },
    { title: `Enroll ${total} persons in a cadence`, total, resource: { type: 'cadence', id: task.cadence_id } },
  )
}

export const enrollPersonsHandler = (services: Pick<Services, 'db' | 'clock' | 'secrets'>): JobHandler =>
  defineTaskHandler<typeof EnrollInput, Progress>(enrollTask, async (context, input) => {
    const { cadence_id, lead_ids, contact_ids, sender_id: senderId, by } = input
    const total = lead_ids.length + contact_ids.length
    const progress = await runTaskBatches(context, services, {
      requester: by,
      scopes: ['cadences.write'],
      start: { done: 0, enrolled: 0, skipped_by_code: {}, listed: [] },
      isComplete: ({ done }) => done === total,
      countDone: ({ done }) => done,
      async runBatch(tx, actor, { done, listed, ...counts }) {
        const leadIds = lead_ids.slice(done, done + batchSize)
        const contactsDone = Math.max(0, done - lead_ids.length)
        const contactIds = contact_ids.slice(contactsDone, contactsDone + batchSize - leadIds.length)
        const options = { senderId, via: 'manual', now: services.clock.now(), requestKey: context.taskId } as const
        const outcomes = await enrollPersons(tx, actor, cadence_id, { leadIds, contactIds }, options, services)
        return {
          done: done + leadIds.length + contactIds.length,
          ...countOutcomes(outcomes, counts),
          listed: addSkipped(listed, outcomes),
        }
      },
    })
    return toEnrolledPersons(progress, progress.listed)
  })
