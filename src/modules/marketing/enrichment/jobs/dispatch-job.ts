import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineJob, enqueue } from '#platform/jobs'

export const dispatchEnrichment = defineJob('marketing.dispatch_enrichment', 'webhook', Type.Object({}))

/** Enqueues the dispatcher of the workspace, unless one already waits that starts early enough. */
export const enqueueEnrichmentDispatch = (tx: TenantTx, startAfter: Date): Promise<void> =>
  enqueue(tx, dispatchEnrichment, {}, { startAfter, singletonKey: 'dispatch' })
