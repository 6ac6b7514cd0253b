import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createSemaphore } from '#platform/concurrency'
import { onRequestEnd } from './response-conventions.ts'

/** One more than the connections of a workspace in the default pool, so that a connection never waits for a request. */
const maxPerTenant = 6
const queue = { maxQueued: 1_000, maxWaitMs: 10_000 }
/** A request that takes longer waits for something other than the event loop, such as a lock or a model. */
const maxHeldMs = 100

/**
 * Limits the requests that a workspace has in progress, so that the requests of others find few callbacks before theirs in the event
 * loop. A request enters when its body has arrived, so a slow client holds no slot.
 */
export function limitRequestsInProgress(app: FastifyInstance): void {
  const semaphore = createSemaphore({ concurrency: Number.POSITIVE_INFINITY, maxPerKey: maxPerTenant, ...queue })
  const releases = new WeakMap<FastifyRequest, () => void>()

  app.addHook('preValidation', async (request) => {
    const { tenant, routeOptions } = request
    if (!tenant || routeOptions.config.servedUnderLoad) return
    const release = releaseOnce(await semaphore.acquire(tenant.id))
    releases.set(request, release)
    if (request.raw.destroyed) release()
  })
  app.addHook('onSend', async (request) => releases.get(request)?.())
  onRequestEnd(app, (request) => releases.get(request)?.())
}

function releaseOnce(release: () => void): () => void {
  const timer = setTimeout(end, maxHeldMs)
  let hasEnded = false
  function end(): void {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    release()
  }
  return end
}
