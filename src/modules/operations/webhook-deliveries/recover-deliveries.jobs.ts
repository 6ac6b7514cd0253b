import { runTaskBatches } from '#modules/identity'
import type { Services } from '#platform/module'
import { defineTaskHandler, type TaskContext } from '#platform/tasks'
import { type RecoveryPosition, recoverBatch, startPosition } from './recover-deliveries.service.ts'
import { recoverDeliveriesTask } from './recover-task.ts'

/** Creates deliveries in batches; the dispatcher sends them at the rate of the endpoint. */
export const recoverDeliveriesHandler = (services: Pick<Services, 'db' | 'clock'>) =>
  defineTaskHandler(
    recoverDeliveriesTask,
    async (task: TaskContext<RecoveryPosition>, { endpoint_id: endpointId, since, states, requester }) => {
      const { clock } = services
      const recovery = { endpointId, since: new Date(since), states }
      const { recovered } = await runTaskBatches(task, services, {
        requester,
        scopes: ['webhooks.write'],
        start: startPosition(recovery.since),
        isComplete: ({ isComplete }) => isComplete,
        countDone: ({ recovered }) => recovered,
        runBatch: (tx, _actor, from) => recoverBatch(tx, recovery, from, clock.now()),
      })
      return { recovered }
    },
    { clock: services.clock },
  )
