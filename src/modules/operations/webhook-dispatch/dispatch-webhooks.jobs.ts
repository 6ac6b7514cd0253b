import { secondsLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { defineJobHandler, type JobContext, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { claimDeliveries } from './claim-deliveries.service.ts'
import { dispatchWebhooks, enqueueDispatches } from './dispatch-job.ts'
import { sendBatch } from './send-batch.flow.ts'
import { createSendingLimits, type SendingLimits } from './sending-limits.ts'

const deadJobSeconds = 600
/** Usually a batch that ends starts the endpoint earlier; this is for a process that ends before. */
const busySeconds = 10

type DispatchServices = Pick<Services, 'clock' | 'secrets' | 'registry' | 'egress'>
type DispatchOptions = { random?: () => number }

/** Claims what is due for one endpoint. The requests are sent after the job has ended, so that slow servers hold no job slots. */
export function dispatchWebhooksHandler(
  services: DispatchServices,
  { random = Math.random }: DispatchOptions = {},
): JobHandler {
  const limits = createSendingLimits()
  const enqueueLater = ({ inTenant }: JobContext, endpointId: string, seconds: number) => {
    const startAfter = secondsLater(services.clock.now(), seconds)
    return inTenant((tx) => enqueueDispatches(tx, [{ endpointId, startAfter }]))
  }
  return defineJobHandler(
    dispatchWebhooks,
    async (job, { endpoint_id }) => {
      const isStarted = await startBatch({ ...services, limits, random }, job, endpoint_id)
      if (isStarted) return
      limits.addWaiting(job.tenantId, endpoint_id)
      await enqueueLater(job, endpoint_id, busySeconds)
    },
    { onDeadLetter: (job, { endpoint_id }) => enqueueLater(job, endpoint_id, deadJobSeconds) },
  )
}

type BatchServices = DispatchServices & { limits: SendingLimits; random: () => number }

/** Returns false while the workspace or the process already sends as many batches as it may. */
async function startBatch(services: BatchServices, job: JobContext, endpointId: string): Promise<boolean> {
  const release = services.limits.reserveBatch(job.tenantId)
  if (!release) return false
  const leaseId = newId()
  let isSending = false
  try {
    const batch = await job.inTenant((tx) => claimDeliveries(tx, services, { endpointId, leaseId }))
    if (batch) {
      job.detach(async (signals) => {
        await sendBatch(services, { ...job, ...signals }, batch, leaseId).finally(release)
        await startNext(services.limits, job)
      })
      isSending = true
    }
  } finally {
    if (!isSending) release()
  }
  return true
}

async function startNext(limits: SendingLimits, { tenantId, inTenant }: JobContext): Promise<void> {
  const endpointId = limits.takeWaiting(tenantId)
  if (endpointId) await inTenant((tx) => enqueueDispatches(tx, [{ endpointId }]))
}
