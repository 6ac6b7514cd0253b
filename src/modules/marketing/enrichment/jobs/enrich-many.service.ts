import { leadCreated } from '#events/crm'
import { type BulkAction, withApplyToAll } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Subscription, subscribeInTransaction } from '#platform/outbox'
import { readEnrichmentSettings } from '../settings/enrichment-settings.service.ts'
import { enqueueEnrichmentDispatch } from './dispatch-job.ts'
import { insertQueuedLeads } from './enrichment-jobs.queries.ts'

type QueueOptions = Parameters<typeof insertQueuedLeads>[2]

/** Queues leads with one statement; one dispatcher of the workspace works them off. Returns the queued leads. */
async function queueLeads(tx: TenantTx, leadIds: readonly string[], options: QueueOptions): Promise<Set<string>> {
  const jobs = leadIds.map((entity_id) => ({ id: newId(), entity_id }))
  const queued = await insertQueuedLeads(tx, jobs, options)
  if (queued.size) await enqueueEnrichmentDispatch(tx, options.now)
  return queued
}

export const enrichLeadsAction: BulkAction = {
  name: 'enrich',
  takes: ['force'],
  scopes: ['enrichment.write'],
  ...withApplyToAll(async (tx, ids, { force }: { force?: boolean }, { actor, now }) => {
    const queued = await queueLeads(tx, ids, { trigger: 'bulk', requestedBy: actor.userId, isForced: force, now })
    return ids.map((id) => queued.has(id))
  }),
}

/** Runs in the transaction that creates the leads, so no new lead is missed. */
export const onLeadsCreated: Subscription = subscribeInTransaction(
  leadCreated,
  'marketing.enrich_new_leads',
  async (tx, events) => {
    if (events[0] && ['sample', 'import'].includes(events[0].origin)) return
    const { enabled, auto_on_create } = await readEnrichmentSettings(tx)
    if (!enabled || !auto_on_create) return
    const ids = events.map(({ subject }) => subject.id)
    await queueLeads(tx, ids, { trigger: 'auto', requestedBy: null, now: events[0]!.occurred_at })
  },
)
