import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineEvent, emitMany } from '#platform/outbox'
import { strict } from '#platform/schema'
import { startTestApp, waitForValue } from '#testing'
import { enqueueDispatches } from '../webhook-dispatch/dispatch-job.ts'

type App = Awaited<ReturnType<typeof startTestApp>>
type Workspace = Awaited<ReturnType<App['tenant']>>
type Receiver = { port: number }

export const parcelShipped = defineEvent('parcel.shipped', {
  resource: 'leads',
  description: 'A parcel was shipped',
  data: strict({ number: Type.Integer() }),
})

const emitParcels = (tx: TenantTx, count: number) =>
  emitMany(
    tx,
    parcelShipped,
    Array.from({ length: count }, (_, number) => ({ subject: { id: newId(), version: 7 }, data: { number } })),
  )

/** Starts an application with a worker that delivers webhooks to servers on loopback. */
export async function startWebhookApp(
  environment: Parameters<typeof startTestApp>[0] = {},
  options: Parameters<typeof startTestApp>[1] = {},
) {
  const app = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true', ...environment }, options)
  const worker = await app.startTestWorker()
  const inWorkspace = <T>({ id }: { id: string }, work: (tx: TenantTx) => Promise<T>) =>
    inTenant(app.db, systemActor(id), work)

  async function readDeliveries({ id }: { id: string }) {
    const { rows } = await app.owner.query(
      `select id, event_id, event_type, state, attempts, next_attempt_at, last_status, last_error, redelivery_of_id, attempt_log
       from operations.webhook_deliveries where endpoint_id = $1 order by id`,
      [id],
    )
    return rows
  }
  type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number]

  return {
    ...app,
    worker,
    inWorkspace,
    readDeliveries,
    async createEndpoint(acme: Workspace, { port }: Receiver, fields: object = {}) {
      const url = `http://127.0.0.1:${port}/in?token=hush`
      const { status, body } = await acme.manager.post('/api/webhooks', {
        url,
        event_types: ['parcel.shipped'],
        rate_per_second: 200,
        ...fields,
      })
      assert.equal(status, 201)
      return body
    },
    /** Emits events in one transaction. */
    ship: (acme: { id: string }, count = 1) => inWorkspace(acme, (tx) => emitParcels(tx, count)),
    shipSample: ({ id }: { id: string }) =>
      inTenant(app.db, { ...systemActor(id), origin: 'sample' }, (tx) => emitParcels(tx, 1)),
    waitForDeliveries: (endpoint: { id: string }, isDone: (deliveries: Delivery[]) => boolean, seconds?: number) =>
      waitForValue(() => readDeliveries(endpoint), isDone, seconds),
    /** Starts the dispatcher now, because jobs wait for the time of the database and not for that of the test clock. */
    dispatchNow: (acme: { id: string }, endpoint: { id: string }) =>
      inWorkspace(acme, (tx) => enqueueDispatches(tx, [{ endpointId: endpoint.id }])),
    /** Starts the dispatcher until the deliveries are done. One that is about to end can miss a single start. */
    dispatchUntil: (acme: { id: string }, endpoint: { id: string }, isDone: (deliveries: Delivery[]) => boolean) =>
      waitForValue(async () => {
        await inWorkspace(acme, (tx) => enqueueDispatches(tx, [{ endpointId: endpoint.id }]))
        return await readDeliveries(endpoint)
      }, isDone),
    async readEndpoint({ id }: { id: string }) {
      const { rows } = await app.owner.query('select * from operations.webhook_endpoints where id = $1', [id])
      return rows[0]
    },
  }
}
