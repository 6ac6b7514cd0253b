import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { startReceiver } from '../../../platform/egress/receivers.stand-in.ts'
import { startWebhookApp } from '../webhook-deliveries/webhook-app.fixture.ts'
import { claimDeliveries } from './claim-deliveries.service.ts'

const app = await startWebhookApp()
const { tenant, createEndpoint, ship, waitForDeliveries, dispatchNow, inWorkspace, owner } = app
const backlog = 100_000
const event = {
  subject: { type: 'parcel', id: newId(), version: null },
  actor: { type: 'system', id: null },
  data: {},
  occurred_at: new Date(),
}

test('identity-11-14 a workspace with a slow server and 100,000 pending deliveries does not delay another one', async () => {
  const [slow, other] = [await tenant(), await tenant()]
  const [silent, receiver] = [await startReceiver(() => {}), await startReceiver()]
  const endpoints: { id: string }[] = []
  while (endpoints.length < 6) endpoints.push(await createEndpoint(slow, silent, { event_types: ['team.created'] }))
  const endpoint = await createEndpoint(other, receiver)
  await owner.query(
    `insert into operations.webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, event, state, next_attempt_at)
     select $1, gen_random_uuid(), ($2::uuid[])[1 + n % 6], $1, 'team.created', $4, 'pending', now()
     from generate_series(1, $3::integer) n`,
    [slow.id, endpoints.map(({ id }) => id), backlog, JSON.stringify(event)],
  )
  for (const one of endpoints) await dispatchNow(slow, one)
  await waitUntil(() => silent.openConnections() >= 6)

  await ship(other)
  await waitForDeliveries(endpoint, ([first]) => first?.state === 'succeeded')

  // The slow server has responded to nothing yet, so the other workspace has not waited for it.
  assert.equal(receiver.received.length, 1)
  assert.equal(silent.received.length, 6)
  assert.equal(silent.openConnections(), 6)
})

test('requests to servers that do not respond hold no job slots', async () => {
  const [silent, receiver] = [await startReceiver(() => {}), await startReceiver()]
  for (const slow of [await tenant(), await tenant()]) {
    for (let count = 0; count < 4; count++) await createEndpoint(slow, silent)
    await ship(slow, 6)
  }
  const other = await tenant()
  const endpoint = await createEndpoint(other, receiver)
  await waitUntil(() => silent.received.length === 8)

  await ship(other)
  await waitForDeliveries(endpoint, ([first]) => first?.state === 'succeeded')

  // A server that does not respond gets one request per endpoint, however many deliveries wait.
  assert.deepEqual([silent.received.length, silent.openConnections()], [8, 8])
  assert.equal(receiver.received.length, 1)
})

test('deliveries of a process that dies after it has claimed them are sent when the lease ends', async () => {
  const acme = await tenant()
  const receiver = await startReceiver()
  const endpoint = await createEndpoint(acme, receiver, { event_types: ['team.created'] })
  const delivery = `insert into operations.webhook_deliveries
    (tenant_id, id, endpoint_id, event_id, event_type, event, state, next_attempt_at)
    values ($1, $2, $3, $2, 'team.created', $4, 'pending', $5)`
  await owner.query(delivery, [acme.id, newId(), endpoint.id, JSON.stringify(event), app.clock.now()])
  const claim = { endpointId: endpoint.id, leaseId: newId() }

  const batch = await inWorkspace(acme, (tx) => claimDeliveries(tx, app.services, claim))
  const waiting = `select start_after from pgboss.job_common where group_id = $1 and name = 'webhook' and state = 'created'`
  const { rows } = await owner.query(waiting, [acme.id])
  const { leased_until } = await app.readEndpoint(endpoint)
  app.clock.advance(31)
  await owner.query(`update pgboss.job_common set start_after = now() where group_id = $1 and state = 'created'`, [
    acme.id,
  ])
  await waitForDeliveries(endpoint, ([first]) => first?.state === 'succeeded')

  assert.equal(batch?.deliveries.length, 1)
  assert.deepEqual(rows, [{ start_after: leased_until }])
  assert.equal(receiver.received.length, 1)
})

test('a stopping worker lets a running request finish, starts no further one and releases the endpoint', async () => {
  const acme = await tenant()
  const { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>()
  const receiver = await startReceiver((_, response) => void unblocked.then(() => response.end()))
  const endpoint = await createEndpoint(acme, receiver)
  await ship(acme, 3)
  await waitUntil(() => receiver.received.length === 1)

  const stopping = app.worker.stop()
  unblock()
  await stopping

  const states = (await app.readDeliveries(endpoint)).map(({ state }) => state)
  assert.equal(receiver.received.length, 1)
  assert.deepEqual(states.sort(), ['pending', 'pending', 'succeeded'])
  assert.equal((await app.readEndpoint(endpoint)).lease_id, null)
})
