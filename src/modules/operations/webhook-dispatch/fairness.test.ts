import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { startReceiver } from '../../../platform/egress/receivers.stand-in.ts'
import { startWebhookApp } from '../webhook-deliveries/webhook-app.fixture.ts'

const { tenant, createEndpoint, ship, waitForDeliveries, dispatchNow, owner } = await startWebhookApp()
const backlog = 100_000
const event = {
  subject: { type: 'parcel', id: newId(), version: null },
  actor: { type: 'system', id: null },
  ...{ data: {}, occurred_at: new Date() },
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
  await waitUntil(() => silent.openConnections() >= 20)

  await ship(other)
  await waitForDeliveries(endpoint, ([first]) => first?.state === 'succeeded')

  // The slow server has responded to nothing yet, so the other workspace has not waited for it.
  assert.equal(receiver.received.length, 1)
  assert.equal(silent.received.length, 20)
  assert.equal(silent.openConnections(), 20)
})
