import { readSettings, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type Clock, daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { minIdAt, newId } from '#platform/ids'
import { listEventsAfter } from '#platform/outbox'
import { type StartedTask, startTask } from '#platform/tasks'
import { enqueueDispatches } from '../webhook-dispatch/dispatch-job.ts'
import { matchesType } from '../webhook-endpoints/event-filter.rules.ts'
import { getEndpointRow } from '../webhook-endpoints/webhook-endpoints.queries.ts'
import { auditedUrl } from '../webhook-endpoints/webhook-endpoints.rules.ts'
import { toDeliveries } from './create-deliveries.service.ts'
import { recoverDeliveriesTask } from './recover-task.ts'
import { insertDeliveries, insertRedeliveries, listUnrecoveredDeliveries } from './webhook-deliveries.queries.ts'
import type { RecoverySettings } from './webhook-deliveries.schemas.ts'
import { assertEnabled } from './webhook-deliveries.service.ts'

const batchSize = 500

/** Starts a task that sends unsuccessful deliveries again, and events that occurred while the endpoint was disabled. */
export async function recoverWebhookDeliveries(
  tx: TenantTx,
  actor: UserActor,
  endpointId: string,
  { since, states }: RecoverySettings,
  { clock }: { clock: Clock },
): Promise<StartedTask> {
  const endpoint = await getEndpointRow(tx, endpointId)
  assertEnabled(endpoint)
  const { webhook_delivery_days: days } = await readSettings(tx, 'retention')
  if (new Date(since) < daysLater(clock.now(), -days))
    throw invalid('body', '/since', 'minimum', `\`since\` must be within the last ${days} days.`)

  const label = auditedUrl(endpoint.url)
  await recordAudit(tx, 'webhook_endpoint.recovered', { id: endpointId, label, after: { since, states } })
  return await startTask(
    tx,
    recoverDeliveriesTask,
    { endpoint_id: endpointId, since, states, requester: toTaskRequester(actor) },
    { title: `Recover webhook deliveries to ${label}`, resource: { type: 'webhook_endpoint', id: endpointId } },
  )
}

export type RecoveryPosition = {
  phase: 'deliveries' | 'events'
  after: string
  recovered: number
  isComplete: boolean
}
type Recovery = Pick<RecoverySettings, 'states'> & { endpointId: string; since: Date }

export const startPosition = (since: Date): RecoveryPosition => ({
  phase: 'deliveries',
  after: minIdAt(since),
  recovered: 0,
  isComplete: false,
})

/** Recovers one batch and returns the position of the next one. */
export async function recoverBatch(
  tx: TenantTx,
  { endpointId, since, states }: Recovery,
  { phase, after, recovered }: RecoveryPosition,
  now: Date,
): Promise<RecoveryPosition> {
  const endpoint = await getEndpointRow(tx, endpointId)
  assertEnabled(endpoint)
  const dispatch = { endpointId, startAfter: endpoint.next_probe_at }
  if (phase === 'deliveries') {
    const found = await listUnrecoveredDeliveries(tx, { endpointId, states, after, limit: batchSize })
    const subscribed = found.filter(({ event_type }) => matchesType(endpoint, event_type))
    await insertRedeliveries(
      tx,
      subscribed.map(({ id: of }) => ({ id: newId(), of })),
      now,
    )
    if (subscribed.length) await enqueueDispatches(tx, [dispatch])
    const total = recovered + subscribed.length
    if (found.length === batchSize) return { phase, after: found.at(-1)!.id, recovered: total, isComplete: false }
    const first = since > endpoint.created_at ? since : endpoint.created_at
    return {
      phase: 'events',
      after: minIdAt(first),
      recovered: total,
      isComplete: !states.includes('skipped'),
    }
  }
  const events = await listEventsAfter(tx, after, batchSize)
  const missed = await insertDeliveries(tx, toDeliveries(endpoint, events))
  if (missed) await enqueueDispatches(tx, [dispatch])
  return {
    phase,
    after: events.at(-1)?.id ?? after,
    recovered: recovered + missed,
    isComplete: events.length < batchSize,
  }
}
