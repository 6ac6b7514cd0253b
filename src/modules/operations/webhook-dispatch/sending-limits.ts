import { createSemaphore, type Semaphore } from '#platform/concurrency'

const maxBatches = { process: 200, workspace: 10 }
const maxRequests = { process: 100, workspace: 10 }

export type SendingLimits = {
  /** Returns a function that ends the batch; undefined if there is no room for it. */
  reserveBatch(tenantId: string): (() => void) | undefined
  /** Remembers an endpoint that found no room. */
  addWaiting(tenantId: string, endpointId: string): void
  /** Returns an endpoint of the workspace that found no room, and forgets it. */
  takeWaiting(tenantId: string): string | undefined
  limitRequests: Semaphore
}

/** Limits what one process sends, so that no workspace takes the share of another one. */
export function createSendingLimits(): SendingLimits {
  const batches = new Map<string, number>()
  const waiting = new Map<string, Set<string>>()
  let total = 0

  function count(tenantId: string, change: 1 | -1): void {
    const ofTenant = (batches.get(tenantId) ?? 0) + change
    if (ofTenant) batches.set(tenantId, ofTenant)
    else batches.delete(tenantId)
    total += change
  }

  return {
    reserveBatch(tenantId) {
      if (total >= maxBatches.process || (batches.get(tenantId) ?? 0) >= maxBatches.workspace) return undefined
      count(tenantId, 1)
      return () => count(tenantId, -1)
    },
    addWaiting(tenantId, endpointId) {
      waiting.set(tenantId, (waiting.get(tenantId) ?? new Set()).add(endpointId))
    },
    takeWaiting(tenantId) {
      const endpoints = waiting.get(tenantId)
      const [next] = endpoints ?? []
      if (next) endpoints!.delete(next)
      if (!endpoints?.size) waiting.delete(tenantId)
      return next
    },
    limitRequests: createSemaphore({
      concurrency: maxRequests.process,
      maxPerKey: maxRequests.workspace,
      maxQueued: Number.POSITIVE_INFINITY,
    }),
  }
}
