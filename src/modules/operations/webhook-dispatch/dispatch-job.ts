import type { TenantTx } from '#platform/db'
import { defineJob, enqueueAll } from '#platform/jobs'
import { Id, strict } from '#platform/schema'

export const dispatchWebhooks = defineJob('operations.dispatch_webhooks', 'webhook', strict({ endpoint_id: Id }))

type Dispatch = { endpointId: string; startAfter?: Date | null }

/** Enqueues the dispatcher of each endpoint, unless one already waits that starts early enough. */
export const enqueueDispatches = (tx: TenantTx, dispatches: readonly Dispatch[]): Promise<void> =>
  enqueueAll(
    tx,
    dispatchWebhooks,
    dispatches.map(({ endpointId, startAfter }) => ({
      payload: { endpoint_id: endpointId },
      singletonKey: endpointId,
      ...(startAfter && { startAfter }),
    })),
  )
