import { Type } from 'typebox'
import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { findLockedEndpoint, markPendingSkipped } from './webhook-endpoints.queries.ts'

const inlineLimit = 1_000
const batchSize = 5_000

const skipDeliveries = defineJob(
  'operations.skip_webhook_deliveries',
  'webhook',
  strict({ endpoint_id: Id, until_id: Type.String() }),
)

/** Skips what is pending for an endpoint, the rest of a large backlog in a job. */
export async function skipPendingDeliveries(tx: TenantTx, endpointId: string, now: Date): Promise<void> {
  const untilId = newId()
  const skipped = await markPendingSkipped(tx, { endpointId, untilId, now, limit: inlineLimit })
  if (skipped === inlineLimit) await enqueue(tx, skipDeliveries, { endpoint_id: endpointId, until_id: untilId })
}

export const skipDeliveriesHandler = ({ clock }: { clock: Clock }) =>
  defineJobHandler(skipDeliveries, async ({ inTenant, signal }, { endpoint_id, until_id }) => {
    const skipBatch = async (tx: TenantTx) => {
      await findLockedEndpoint(tx, endpoint_id)
      const batch = { endpointId: endpoint_id, untilId: until_id, now: clock.now(), limit: batchSize }
      return await markPendingSkipped(tx, batch)
    }
    while ((await inTenant(skipBatch)) === batchSize) signal.throwIfAborted()
  })
