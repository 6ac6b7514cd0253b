import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { startReceiver } from '../../../platform/egress/receivers.stand-in.ts'
import { startWebhookApp } from '../webhook-deliveries/webhook-app.fixture.ts'

const { tenant, createEndpoint, ship, waitForDeliveries, readEndpoint, readDeliveries } = await startWebhookApp()

test('events that the owner may no longer read are skipped, and an endpoint without an active owner is disabled', async () => {
  const acme = await tenant()
  const [receiver, leaving] = [await startReceiver(), await acme.person('admin')]
  const input = { url: `http://127.0.0.1:${receiver.port}/in`, event_types: ['user.*', 'lead.created'] }
  const { body: endpoint } = await leaving.post('/api/webhooks', input)
  const url = `/api/webhooks/${endpoint.id}`

  await acme.admin.patch(`/api/users/${leaving.userId}`, { role: 'manager' })
  await acme.member.post('/api/leads/', { last_name: 'Lovelace' })
  const deliveries = await waitForDeliveries(
    endpoint,
    (all) =>
      all.some(({ event_type }) => event_type === 'lead.created') && all.every(({ state }) => state !== 'pending'),
  )
  await acme.admin.patch(`/api/users/${leaving.userId}`, { status: 'deactivated' })
  await waitUntil(async () => (await readEndpoint(endpoint)).status === 'disabled')

  const states = new Set(deliveries.map(({ event_type, state }) => `${event_type.split('.')[0]} ${state}`))
  assert.deepEqual([...states].sort(), ['lead succeeded', 'user skipped'])
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).type),
    ['lead.created'],
  )
  assert.equal((await readEndpoint(endpoint)).disabled_reason, 'owner_deactivated')
  const { rows } = await acme.sql('select user_id from platform.notifications where tenant_id = $1 and kind = $2', [
    acme.id,
    'webhook_endpoint.owner_deactivated',
  ])
  assert.deepEqual(rows, [{ user_id: acme.admin.userId }])

  const refused = await acme.manager.patch(url, { status: 'enabled' })
  const enabled = await acme.admin.patch(url, { status: 'enabled' })
  assert.deepEqual([refused.status, refused.body.code], [403, 'role_required'])
  assert.partialDeepStrictEqual(enabled.body, { status: 'enabled', owner_id: acme.admin.userId })
})

test('an endpoint whose owner may no longer manage webhooks is disabled until a user enables it', async () => {
  const acme = await tenant()
  const [receiver, other] = [await startReceiver((_, response) => response.writeHead(500).end()), await startReceiver()]
  const demoted = await acme.person('manager')
  const input = { url: `http://127.0.0.1:${receiver.port}/in`, event_types: ['parcel.shipped'] }
  const { body: endpoint } = await demoted.post('/api/webhooks', input)
  const url = `/api/webhooks/${endpoint.id}`
  const changeRole = (role: string) => acme.admin.patch(`/api/users/${demoted.userId}`, { role })
  await ship(acme)
  await waitForDeliveries(endpoint, ([first]) => first?.attempts === 1 && first.state === 'pending')

  await changeRole('viewer')
  await waitUntil(async () => (await readEndpoint(endpoint)).status === 'disabled')
  const { rows: notices } = await acme.sql(
    `select user_id, payload->>'url' as url from platform.notifications where tenant_id = $1 and kind = $2`,
    [acme.id, 'webhook_endpoint.owner_deactivated'],
  )
  await changeRole('manager')
  const working = await createEndpoint(acme, other)
  await ship(acme)
  await waitForDeliveries(working, ([first]) => first?.state === 'succeeded')
  const deliveries = await readDeliveries(endpoint)
  const kept = await acme.manager.get(url)
  const enabled = await acme.manager.patch(url, { status: 'enabled' })

  assert.deepEqual(notices, [{ user_id: acme.admin.userId, url: input.url }])
  assert.deepEqual(
    deliveries.map(({ state, attempts }) => [state, attempts]),
    [['skipped', 1]],
  )
  assert.equal(receiver.received.length, 1)
  assert.partialDeepStrictEqual(kept.body, { status: 'disabled', disabled_reason: 'owner_role_changed' })
  assert.partialDeepStrictEqual(enabled.body, { status: 'enabled', owner_id: demoted.userId })
})

test('a user who enables the endpoint of a user without the right becomes its owner', async () => {
  const acme = await tenant()
  const [receiver, demoted] = [await startReceiver(), await acme.person('manager')]
  const input = { url: `http://127.0.0.1:${receiver.port}/in`, event_types: ['parcel.shipped'] }
  const { body: endpoint } = await demoted.post('/api/webhooks', input)
  await acme.admin.patch(`/api/users/${demoted.userId}`, { role: 'member' })
  await waitUntil(async () => (await readEndpoint(endpoint)).status === 'disabled')

  const enabled = await acme.manager.patch(`/api/webhooks/${endpoint.id}`, { status: 'enabled' })

  assert.partialDeepStrictEqual(enabled.body, { status: 'enabled', owner_id: acme.manager.userId })
})

const unprocessedChanges = {
  owner_deactivated: `status = 'deactivated', deactivated_at = now()`,
  owner_role_changed: `role = 'viewer'`,
}
for (const [reason, change] of Object.entries(unprocessedChanges))
  test(`nothing is sent for an owner whose change is not yet processed (${reason})`, async () => {
    const acme = await tenant()
    const receiver = await startReceiver()
    const endpoint = await createEndpoint(acme, receiver)
    // Writes it as a process of the previous version does: no owner but the creator, and no event.
    await acme.sql('update operations.webhook_endpoints set owner_id = null where id = $1', [endpoint.id])
    await acme.sql(`update identity.users set ${change} where id = $1`, [acme.manager.userId])

    await ship(acme, 2)
    const deliveries = await waitForDeliveries(endpoint, (all) => all.length === 2 && all[0].state !== 'pending')

    assert.deepEqual([deliveries[0].state, deliveries[1].state, receiver.received.length], ['skipped', 'skipped', 0])
    assert.partialDeepStrictEqual(await readEndpoint(endpoint), { disabled_reason: reason, lease_id: null })
  })
