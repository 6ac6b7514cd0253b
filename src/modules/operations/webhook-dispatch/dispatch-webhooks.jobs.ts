import { setTimeout as sleep } from 'node:timers/promises'
import { secondsLater } from '#platform/clock'
import { mapConcurrently } from '#platform/concurrency'
import { newId } from '#platform/ids'
import { defineJobHandler, type JobContext, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { breakerThreshold } from './breaker.rules.ts'
import { type ClaimedBatch, claimDeliveries, releaseAndPlan } from './claim-deliveries.service.ts'
import { dispatchWebhooks, enqueueDispatches } from './dispatch-job.ts'
import { sendWebhook } from './send-webhook.ts'
import { type Attempted, storeResults } from './store-results.service.ts'

/** After this time no request is started, so that slow endpoints do not hold the slots of others. */
const sliceMs = 1_000
const concurrency = 5
const deadJobSeconds = 600

type DispatchServices = Pick<Services, 'clock' | 'secrets' | 'registry' | 'egress'>
type DispatchOptions = { random?: () => number }

/** Sends what is due for one endpoint, then plans the next run. */
export const dispatchWebhooksHandler = (
  services: DispatchServices,
  { random = Math.random }: DispatchOptions = {},
): JobHandler =>
  defineJobHandler(dispatchWebhooks, (job, { endpoint_id }) => dispatch(services, job, endpoint_id, random), {
    onDeadLetter: ({ inTenant }, { endpoint_id: endpointId }) => {
      const startAfter = secondsLater(services.clock.now(), deadJobSeconds)
      return inTenant((tx) => enqueueDispatches(tx, [{ endpointId, startAfter }]))
    },
  })

async function dispatch(services: DispatchServices, job: JobContext, endpointId: string, random: () => number) {
  const leaseId = newId()
  const sliceEnd = performance.now() + sliceMs
  const pace = { nextStartMs: 0 }
  do {
    const batch = await job.inTenant((tx) => claimDeliveries(tx, services, { endpointId, leaseId }))
    if (!batch) return
    const attempted = await sendBatch(services, job, batch, { sliceEnd, pace })
    if (!attempted.length) break
    await job.inTenant((tx) => storeResults(tx, endpointId, attempted, { now: services.clock.now(), random }))
  } while (performance.now() < sliceEnd && !job.signal.aborted)
  // The next run starts its own pace, so this one waits for the end of its last interval.
  await sleepUntil(pace.nextStartMs, job.signal)
  await job.inTenant((tx) => releaseAndPlan(tx, endpointId, leaseId))
}

/** Only one dispatcher at a time sends to an endpoint, so `pace` keeps its rate. */
type Slice = { sliceEnd: number; pace: { nextStartMs: number } }

/** Returns the attempts in the order in which they ended. Deliveries that were not attempted stay pending. */
async function sendBatch(
  services: DispatchServices,
  { signal }: JobContext,
  { endpoint, secrets, deliveries }: ClaimedBatch,
  { sliceEnd, pace }: Slice,
): Promise<Attempted[]> {
  const attempted: Attempted[] = []
  const isProbe = endpoint.next_probe_at !== null
  let [failures, running] = [endpoint.consecutive_failures, 0]
  const mayOpenBreaker = () => !isProbe && failures + running >= breakerThreshold

  await mapConcurrently(deliveries, concurrency, async ({ id, attempts, event_id, body }) => {
    if (mayOpenBreaker()) return
    running++
    try {
      const startMs = Math.max(performance.now(), pace.nextStartMs)
      if (startMs > sliceEnd) return
      pace.nextStartMs = startMs + 1_000 / endpoint.rate_per_second
      await sleepUntil(startMs, signal)
      signal.throwIfAborted()
      const request = { url: endpoint.url, secrets, eventId: event_id, body }
      const outcome = await sendWebhook(services, request, signal)
      failures = outcome.error === null ? 0 : failures + 1
      attempted.push({ id, attempts, outcome })
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      running--
    }
  })
  return attempted
}

async function sleepUntil(timeMs: number, signal: AbortSignal): Promise<void> {
  const ms = timeMs - performance.now()
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
}
