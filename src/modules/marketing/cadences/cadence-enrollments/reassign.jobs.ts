import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, nullable, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, type StartedTask, startTask } from '#platform/tasks'
import { listEnrollmentIdsOfSender } from '../cadence-runs/sender-enrollments.queries.ts'
import { type Reassignment, reassignBatch } from './reassign-batch.service.ts'

const ReassignInput = strict({ cadence_id: Id, from_sender_id: nullable(Id), to_sender_id: Id, by: TaskRequester })
const reassignTask = defineTask('marketing.reassign_enrollments', 'bulk', ReassignInput)

const batchSize = 500

type Progress = { after: string | null; reassigned: number }

export const startReassigning = (tx: TenantTx, actor: UserActor, reassignment: Reassignment): Promise<StartedTask> =>
  startTask(
    tx,
    reassignTask,
    { ...reassignment, by: toTaskRequester(actor) },
    { title: 'Change the sender of enrollments', resource: { type: 'cadence', id: reassignment.cadence_id } },
  )

export const reassignSenderHandler = (services: Pick<Services, 'db' | 'clock'>): JobHandler =>
  defineTaskHandler<typeof ReassignInput, Progress>(reassignTask, async (context, { by, ...reassignment }) => {
    const { cadence_id: cadenceId, from_sender_id } = reassignment
    const { reassigned } = await runTaskBatches(context, services, {
      requester: by,
      scopes: ['cadences.write'],
      start: { after: nilUuid, reassigned: 0 },
      isComplete: ({ after }) => after === null,
      countDone: (progress) => progress.reassigned,
      async runBatch(tx, actor, { after, reassigned }) {
        const filter = { senderId: from_sender_id, cadenceId, status: 'live' } as const
        const ids = await listEnrollmentIdsOfSender(tx, filter, { after: after!, limit: batchSize })
        const batch = { ids, now: services.clock.now(), requestKey: context.taskId }
        const changed = await reassignBatch(tx, actor, reassignment, batch)
        return {
          after: ids.length < batchSize ? null : ids.at(-1)!,
          reassigned: reassigned + changed,
        }
      },
    })
    return { reassigned }
  })
