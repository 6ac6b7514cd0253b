import type { Role } from '#platform/access'
import { type Clock, secondsLater } from '#platform/clock'
import { type TenantTx, tenantIdOf } from '#platform/db'
import type { Registry } from '#platform/module'
import type { SecretBox } from '#platform/secrets'
import { findOwnerRole } from '../webhook-endpoints/disable-endpoint.service.ts'
import { mayRoleReceive } from '../webhook-endpoints/event-filter.rules.ts'
import type { EndpointRow } from '../webhook-endpoints/webhook-endpoints.queries.ts'
import { openWebhookSecrets } from '../webhook-endpoints/webhook-secrets.ts'
import { nextDispatchAt } from './delivery.rules.ts'
import {
  type DueDelivery,
  findLeaseEnd,
  findNextAttempt,
  leaseEndpoint,
  listDueDeliveries,
  markSkipped,
  releaseEndpoint,
} from './dispatch.queries.ts'
import { enqueueDispatches } from './dispatch-job.ts'
import { disableOwnerless } from './lost-owner.service.ts'
import { presentEvents } from './present-events.service.ts'

/** Longer than a batch can take: five seconds to start requests, and 15 seconds each. */
const leaseSeconds = 30
const batchSize = 50

type ClaimServices = { clock: Clock; secrets: SecretBox; registry: Registry }

export type ClaimedBatch = {
  endpoint: EndpointRow
  secrets: string[]
  deliveries: (DueDelivery & { body: string })[]
}

/**
 * Leases the endpoint and reads what is due. Undefined if nothing is: then the next dispatch is planned. Otherwise one is planned for the
 * end of the lease, in case the process dies before it stores the results.
 */
export async function claimDeliveries(
  tx: TenantTx,
  services: ClaimServices,
  { endpointId, leaseId }: { endpointId: string; leaseId: string },
): Promise<ClaimedBatch | undefined> {
  const now = services.clock.now()
  const lease = { id: leaseId, now, until: secondsLater(now, leaseSeconds) }
  const endpoint = await leaseEndpoint(tx, endpointId, lease)
  if (!endpoint) return void (await releaseOrPostpone(tx, endpointId, leaseId))

  const owner = await findOwnerRole(tx, endpoint)
  if (!owner.role) await disableOwnerless(tx, endpoint, { loss: owner.loss, now })
  const due = owner.role ? await listAllowed(tx, await listDue(tx, endpoint, now), owner.role, now) : []
  if (!due.length) return void (await releaseAndPlan(tx, endpointId, leaseId))
  await enqueueDispatches(tx, [{ endpointId, startAfter: lease.until }])
  const payloads = await presentEvents(tx, services, due)
  return {
    endpoint,
    secrets: openWebhookSecrets(services.secrets, { tenantId: tenantIdOf(tx), endpointId }, endpoint, now),
    deliveries: due.map((delivery, index) => ({ ...delivery, body: JSON.stringify(payloads[index]) })),
  }
}

/** While the breaker is open, only one delivery is tried at the planned time. */
async function listDue(tx: TenantTx, { id, next_probe_at }: EndpointRow, now: Date): Promise<DueDelivery[]> {
  if (next_probe_at && next_probe_at > now) return []
  return await listDueDeliveries(tx, { endpointId: id, now, limit: next_probe_at ? 1 : batchSize })
}

/** The owner may have lost rights since the delivery was created. */
async function listAllowed(tx: TenantTx, due: readonly DueDelivery[], role: Role, now: Date): Promise<DueDelivery[]> {
  const { allowed = [], refused = [] } = Object.groupBy(due, ({ event_type }) =>
    mayRoleReceive(role, event_type) ? 'allowed' : 'refused',
  )
  if (refused.length)
    await markSkipped(
      tx,
      refused.map(({ id }) => id),
      now,
    )
  return allowed
}

/** A dispatcher that lost its worker does not release the lease, so another one starts when it ends. */
async function releaseOrPostpone(tx: TenantTx, endpointId: string, leaseId: string): Promise<void> {
  await releaseEndpoint(tx, endpointId, leaseId)
  const leasedUntil = await findLeaseEnd(tx, endpointId)
  if (leasedUntil) await enqueueDispatches(tx, [{ endpointId, startAfter: leasedUntil }])
}

/** Sees every delivery whose dispatcher ended because of the lease: it was committed before. */
export async function releaseAndPlan(tx: TenantTx, endpointId: string, leaseId: string): Promise<void> {
  const released = await releaseEndpoint(tx, endpointId, leaseId)
  if (released?.status !== 'enabled') return
  const nextAttempt = await findNextAttempt(tx, endpointId)
  if (nextAttempt) await enqueueDispatches(tx, [{ endpointId, startAfter: nextDispatchAt(released, nextAttempt) }])
}
