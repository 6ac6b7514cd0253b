import { setTimeout as sleep } from 'node:timers/promises'
import { teamCreated } from '#events/identity'
import { scopesOfRole, systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { emitMany } from '#platform/outbox'
import { enqueueDispatches } from '../../src/modules/operations/webhook-dispatch/dispatch-job.ts'
import { createWebhookEndpoint } from '../../src/modules/operations/webhook-endpoints/webhook-endpoints.service.ts'
import type { TestApp, TestWorkspace } from './soak.ts'
import type { ReceiverKind, Receivers } from './webhook-receivers.ts'

export type Endpoint = { id: string; name: string; kind: ReceiverKind; acme: TestWorkspace }

export const isLive = ({ kind }: Endpoint) => kind !== 'refusing' && kind !== 'silent'

export async function createEndpoints(app: TestApp, receivers: Receivers, kinds: readonly ReceiverKind[]) {
  const acme = await app.tenant()
  const role = 'admin' as const
  const actor = { ...systemActor(acme.id), userId: acme.admin.userId, role, scopes: scopesOfRole(role) }
  const endpoints: Endpoint[] = []
  for (const kind of kinds) {
    const name = newId()
    const input = { url: receivers.urlOf(kind, name), event_types: ['team.created'], rate_per_second: 200 }
    const { id } = await inTenant(app.db, actor, (tx) => createWebhookEndpoint(tx, actor, input, app.services))
    endpoints.push({ id, name, kind, acme })
  }
  return endpoints
}

/** Emits events to the workspaces in turn, at about this rate. */
export async function emitEvents(app: TestApp, workspaces: readonly TestWorkspace[], count: number, perSecond: number) {
  const perBatch = Math.max(1, Math.round(perSecond / 10))
  for (let emitted = 0, turn = 0; emitted < count; emitted += perBatch, turn++) {
    const events = Array.from({ length: Math.min(perBatch, count - emitted) }, () => ({
      subject: { id: newId() },
      data: { name: 'Engines' },
    }))
    const { id } = workspaces[turn % workspaces.length]!
    const paused = sleep(100)
    await inTenant(app.db, systemActor(id), (tx) => emitMany(tx, teamCreated, events))
    await paused
  }
}

/** Does what happens when the heartbeats and leases of a killed worker have ended. */
export const endLeases = ({ acme }: Endpoint) =>
  acme.sql('update operations.webhook_endpoints set lease_id = null, leased_until = null')

/** Waits until the endpoints have no pending delivery. Retries of failed attempts start at once. */
export async function waitForDeliveries(app: TestApp, endpoints: readonly Endpoint[]): Promise<void> {
  for (;;) {
    const pending: Endpoint[] = []
    for (const endpoint of endpoints) {
      const { rows } = await endpoint.acme.sql(
        `select (select count(*) from platform.outbox_events where tenant_id = $1 and type = 'team.created') -
           (select count(*) from operations.webhook_deliveries where endpoint_id = $2 and state = 'succeeded') as missing`,
        [endpoint.acme.id, endpoint.id],
      )
      if (Number(rows[0].missing) > 0) pending.push(endpoint)
    }
    if (!pending.length) return
    for (const { id, kind, acme } of pending) {
      if (kind !== 'flapping') continue
      await acme.sql(
        `update operations.webhook_deliveries set next_attempt_at = now() where endpoint_id = $1 and state = 'pending' and attempts > 0`,
        [id],
      )
      await inTenant(app.db, systemActor(acme.id), (tx) => enqueueDispatches(tx, [{ endpointId: id }]))
    }
    await sleep(250)
  }
}

type SentEvent = { id: string; occurred_at: Date; finished_at: Date }

/** Returns the events of the workspace of the endpoint, with the time of their recorded delivery. */
export async function readEvents({ id, acme }: Endpoint): Promise<SentEvent[]> {
  const { rows } = await acme.sql(
    `select event.id, event.occurred_at, delivery.finished_at from platform.outbox_events event
     left join operations.webhook_deliveries delivery on delivery.event_id = event.id and delivery.endpoint_id = $2
     where event.tenant_id = $1 and event.type = 'team.created'`,
    [acme.id, id],
  )
  return rows
}
