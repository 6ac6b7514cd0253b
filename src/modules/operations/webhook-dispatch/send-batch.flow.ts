import { setTimeout as sleep } from 'node:timers/promises'
import { retryOnContention } from '#platform/db'
import type { DetachedSignals, JobContext } from '#platform/jobs'
import { type ClaimedBatch, releaseAndPlan } from './claim-deliveries.service.ts'
import { breakerThreshold, firstConcurrency, nextConcurrency } from './delivery.rules.ts'
import { type SendServices, sendWebhook } from './send-webhook.ts'
import type { SendingLimits } from './sending-limits.ts'
import { type Attempted, storeResults } from './store-results.service.ts'

/** After this time no request is started, so that the batch ends before its lease. */
const startMs = 5_000
/** Timers fire late, which must not reduce the rate. */
const timerDelayMs = 20

type BatchServices = SendServices & { limits: SendingLimits; random: () => number }
type BatchContext = Pick<JobContext, 'tenantId' | 'inTenant' | 'log'> & DetachedSignals
type Pace = { nextStartMs: number }

/** Sends a claimed batch, stores the results, releases the endpoint and plans its next dispatch. */
export async function sendBatch(services: BatchServices, context: BatchContext, batch: ClaimedBatch, leaseId: string) {
  const { inTenant, abortSignal } = context
  const { id: endpointId } = batch.endpoint
  const pace = { nextStartMs: performance.now() }
  const attempted = await sendDeliveries(services, context, batch, pace)
  if (attempted.length) {
    const options = { now: services.clock.now(), random: services.random }
    await retryOnContention(() => inTenant((tx) => storeResults(tx, endpointId, attempted, options)), abortSignal)
  }
  // The next batch starts its own pace, so this one waits for the end of its last interval.
  await sleepUntil(pace.nextStartMs, context)
  await retryOnContention(() => inTenant((tx) => releaseAndPlan(tx, endpointId, leaseId)), abortSignal)
}

/**
 * Returns the attempts in the order in which they ended. Deliveries that were not attempted stay pending. Begins with one request at a
 * time, so that a server that does not respond takes only a small part of what its workspace may send.
 */
async function sendDeliveries(
  services: BatchServices,
  context: BatchContext,
  { endpoint, secrets, deliveries }: ClaimedBatch,
  pace: Pace,
): Promise<Attempted[]> {
  const { tenantId, drainSignal, abortSignal, log } = context
  const attempted: Attempted[] = []
  const running = new Set<Promise<void>>()
  const endMs = performance.now() + startMs
  const isProbe = endpoint.next_probe_at !== null
  let isGone = false
  let [failures, concurrency] = [endpoint.consecutive_failures, firstConcurrency]
  const mayOpenBreaker = () => !isProbe && failures + running.size >= breakerThreshold
  const isOver = () => isGone || drainSignal.aborted || performance.now() > endMs

  async function send({ id, attempts, event_id, body }: ClaimedBatch['deliveries'][number], onStart: () => void) {
    if (isOver()) return
    pace.nextStartMs = Math.max(pace.nextStartMs, performance.now() - timerDelayMs) + 1_000 / endpoint.rate_per_second
    onStart()
    const request = { url: endpoint.url, secrets, eventId: event_id, body }
    const outcome = await sendWebhook(services, request, abortSignal)
    isGone ||= outcome.status === 410
    failures = outcome.error === null ? 0 : failures + 1
    concurrency = nextConcurrency(concurrency, outcome.duration_ms)
    attempted.push({ id, attempts, outcome })
  }

  for (const delivery of deliveries) {
    while (running.size && (running.size >= concurrency || mayOpenBreaker())) await Promise.race(running)
    await sleepUntil(pace.nextStartMs, context)
    if (isOver() || mayOpenBreaker()) break
    const { promise: started, resolve } = Promise.withResolvers<void>()
    const sending = services.limits
      .limitRequests(tenantId, () => send(delivery, resolve), { signal: drainSignal })
      .catch((err) => {
        if (!drainSignal.aborted) log.error({ err }, 'sending a webhook failed')
      })
      .finally(() => running.delete(sending))
    running.add(sending)
    await Promise.race([started, sending])
  }
  await Promise.all(running)
  return attempted
}

async function sleepUntil(timeMs: number, { drainSignal }: DetachedSignals): Promise<void> {
  const ms = timeMs - performance.now()
  if (ms > 0) await sleep(ms, undefined, { signal: drainSignal }).catch(() => {})
}
