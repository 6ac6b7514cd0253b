import { resolveTaskRequester } from '#modules/identity'
import type { Services } from '#platform/module'
import { defineTaskHandler, type TaskContext } from '#platform/tasks'
import { type RecoveryPosition, recoverBatch, startPosition } from './recover-deliveries.service.ts'
import { recoverDeliveriesTask } from './recover-task.ts'

/** Creates deliveries in batches; the dispatcher sends them at the rate of the endpoint. */
export const recoverDeliveriesHandler = ({ clock }: Pick<Services, 'clock'>) =>
  defineTaskHandler(
    recoverDeliveriesTask,
    async (task: TaskContext<RecoveryPosition>, { endpoint_id: endpointId, since, states, requester }) => {
      const recovery = { endpointId, since: new Date(since), states }
      let position = task.checkpoint.value ?? startPosition(recovery.since)
      for (let isComplete = false; !isComplete && !(await task.isCancelled()); ) {
        const from = position
        const batch = await task.inTenant(async (tx) => {
          await resolveTaskRequester(tx, requester, { scopes: ['webhooks.write'], now: clock.now() })
          const result = await recoverBatch(tx, recovery, from, clock.now())
          await task.checkpoint.save(tx, result.position)
          return result
        })
        position = batch.position
        isComplete = batch.isComplete
        task.reportProgress(position.recovered)
      }
      return { recovered: position.recovered }
    },
    { clock },
  )
