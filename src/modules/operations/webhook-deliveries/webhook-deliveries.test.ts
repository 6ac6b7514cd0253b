import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createLead } from '#modules/crm'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { waitUntil } from '#testing'
import { startReceiver } from '../../../platform/egress/receivers.stand-in.ts'
import { startWebhookApp } from './webhook-app.fixture.ts'

const app = await startWebhookApp()
const { tenant, createEndpoint, ship, waitForDeliveries, dispatchUntil, readEndpoint, readDeliveries, clock } = app

type Received = Awaited<ReturnType<typeof startReceiver>>['received'][number]
const verify = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>

test('identity-11-1 a created lead is sent once, signed, and a rolled-back one is not', async () => {
  const acme = await tenant()
  const receiver = await startReceiver()
  const endpoint = await createEndpoint(acme, receiver, { event_types: ['lead.created'] })

  const { body: lead } = await acme.member.post('/api/leads/', { last_name: 'Lovelace', company: 'Engines' })
  await assert.rejects(
    inTenant(app.db, systemActor(acme.id), async (tx) => {
      await createLead(tx, systemActor(acme.id), { last_name: 'Babbage' }, app.services)
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  const deliveries = await waitForDeliveries(endpoint, ([first]) => first?.state === 'succeeded')

  assert.equal(receiver.received.length, 1)
  const [request = assert.fail('Nothing arrived.')] = receiver.received
  const { method, url, headers } = request
  const payload = verify(endpoint.secret, request)
  assert.deepEqual([method, url], ['POST', '/in?token=hush'])
  assert.partialDeepStrictEqual(payload, { type: 'lead.created', workspace: acme.slug, sequence: lead.version })
  assert.partialDeepStrictEqual(payload.object, { id: lead.id, last_name: 'Lovelace' })
  assert.equal(headers['webhook-id'], payload.id)
  assert.deepEqual([headers['content-type'], headers['user-agent']], ['application/json', 'Tributary-Webhooks/1'])
  assert.throws(() => verify('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', request))
  assert.equal(deliveries.length, 1)
  assert.partialDeepStrictEqual(deliveries[0], { state: 'succeeded', attempts: 1, last_status: 200, last_error: null })
})

test('identity-11-10 lead.* receives lead events only, and * of a manager no events about administration', async () => {
  const acme = await tenant()
  const receiver = await startReceiver()
  const url = (path: string) => ({ url: `http://127.0.0.1:${receiver.port}/${path}` })
  const leads = await createEndpoint(acme, receiver, { ...url('leads'), event_types: ['lead.*'] })
  const all = await createEndpoint(acme, receiver, { ...url('all'), event_types: ['*'] })

  await acme.admin.post('/api/api-keys', { name: 'Hooks', scopes: ['leads.read'] })
  const { body: team } = await acme.manager.post('/api/teams/', { name: 'Engines' })
  await acme.manager.delete(`/api/teams/${team.id}`)
  await acme.member.post('/api/leads/', { last_name: 'Lovelace' })
  // Events of several relay batches can arrive in any order.
  const isSent = (types: string[]) => (rows: { event_type: string; state: string }[]) =>
    types.every((type) => rows.some(({ event_type }) => event_type === type)) &&
    rows.every(({ state }) => state === 'succeeded')
  await waitForDeliveries(leads, isSent(['lead.created']))
  await waitForDeliveries(all, isSent(['lead.created', 'team.created', 'team.deleted']))

  const payloadsAt = (path: string) =>
    receiver.received.filter((request) => request.url === `/${path}`).map(({ body }) => JSON.parse(body))
  const typesAt = (path: string) => new Set(payloadsAt(path).map(({ type }) => type))
  assert.ok([...typesAt('leads')].every((type) => type.startsWith('lead.')))
  assert.ok(typesAt('all').has('team.created') && typesAt('all').has('lead.created'))
  assert.equal(typesAt('all').has('api_key.created'), false)
  assert.equal(payloadsAt('all').find(({ type }) => type === 'team.deleted').object, null)
})

test('identity-11-3 two failures and a success are three attempts with the same id and new signatures', async () => {
  const acme = await tenant()
  const receiver = await startReceiver((_, response) => {
    response.writeHead(receiver.received.length <= 2 ? 500 : 200).end('The body is not stored.')
  })
  const endpoint = await createEndpoint(acme, receiver)

  await ship(acme)
  await waitForDeliveries(endpoint, ([first]) => first?.attempts === 1)
  clock.advance(6)
  await dispatchUntil(acme, endpoint, ([first]) => first?.attempts === 2)
  clock.advance(331)
  const [delivery] = await dispatchUntil(acme, endpoint, ([first]) => first?.state === 'succeeded')

  const headersOf = (name: string) => receiver.received.map(({ headers }) => headers[name])
  assert.equal(new Set(headersOf('webhook-id')).size, 1)
  assert.equal(new Set(headersOf('webhook-timestamp')).size, 3)
  assert.equal(new Set(headersOf('webhook-signature')).size, 3)
  assert.equal(delivery.attempts, 3)
  assert.deepEqual(
    delivery.attempt_log.map(({ number, status, error }: Record<string, unknown>) => [number, status, error]),
    [
      [1, 500, 'status'],
      [2, 500, 'status'],
      [3, 200, null],
    ],
  )
  assert.doesNotMatch(JSON.stringify(delivery), /not stored/)
  assert.partialDeepStrictEqual(await readEndpoint(endpoint), { consecutive_failures: 0, first_failure_at: null })
})

test('identity-11-4 a redirect is a failure and is not followed', async () => {
  const acme = await tenant()
  const target = await startReceiver()
  const receiver = await startReceiver((request, response) => {
    const location = request.url === '/metadata' ? 'http://169.254.169.254/' : `http://127.0.0.1:${target.port}/`
    response.writeHead(302, { location }).end()
  })
  const url = `http://127.0.0.1:${receiver.port}/metadata`
  const endpoints = [await createEndpoint(acme, receiver), await createEndpoint(acme, receiver, { url })]

  await ship(acme)

  for (const endpoint of endpoints) {
    const [delivery] = await waitForDeliveries(endpoint, ([first]) => first?.attempts === 1)
    assert.partialDeepStrictEqual(delivery, { state: 'pending', last_status: 302, last_error: 'redirect' })
  }
  assert.deepEqual([receiver.received.length, target.received.length], [2, 0])
})

test('identity-11-6 a server that is gone disables the endpoint at once and the rest is skipped', async () => {
  const acme = await tenant()
  const receiver = await startReceiver((_, response) => response.writeHead(410).end())
  const endpoint = await createEndpoint(acme, receiver, { rate_per_second: 1 })

  await ship(acme, 3)
  const deliveries = await waitForDeliveries(
    endpoint,
    (all) => all.length === 3 && all.every(({ state }) => state !== 'pending' || all[0].attempts > 1),
  )

  assert.partialDeepStrictEqual(await readEndpoint(endpoint), { status: 'disabled', disabled_reason: 'gone' })
  assert.equal(receiver.received.length, 1)
  assert.deepEqual(
    deliveries.map(({ state }) => state),
    ['skipped', 'skipped', 'skipped'],
  )
  assert.ok((await acme.events()).includes('webhook_endpoint.disabled'))
  const { rows: notified } = await acme.sql(
    `select user_id from platform.notifications where tenant_id = $1 and kind = 'webhook_endpoint.gone'`,
    [acme.id],
  )
  assert.deepEqual(notified, [{ user_id: acme.admin.userId }])
  await ship(acme)
  await waitUntil(async () => {
    const optIns = 'select from platform.event_consumer_tenants where tenant_id = $1'
    return (await acme.sql(optIns, [acme.id])).rowCount === 0
  })
  assert.equal((await readDeliveries(endpoint)).length, 3)
})

test('identity-11-7 during the overlap of a rotation both secrets verify, afterwards only the new one', async () => {
  const acme = await tenant()
  const manager = { ...acme.manager, ...(await acme.signIn(acme.manager.userId)) }
  const receiver = await startReceiver()
  const endpoint = await createEndpoint({ ...acme, manager }, receiver)
  const url = `/api/webhooks/${endpoint.id}/rotate-secret`

  const { status, body: rotated } = await manager.post(url)
  await ship(acme)
  await waitUntil(() => receiver.received.length === 1)
  clock.advance(86_401)
  await ship(acme)
  await waitUntil(() => receiver.received.length === 2)

  const [during, after] = receiver.received as [Received, Received]
  assert.equal(status, 200)
  assert.match(rotated.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(String(during.headers['webhook-signature']).split(' ').length, 2)
  const at = (received: Received) => Number(received.headers['webhook-timestamp']) * 1_000
  const verifies = (secret: string, received: Received) => {
    const signature = new Webhook(secret).sign(
      String(received.headers['webhook-id']),
      new Date(at(received)),
      received.body,
    )
    return String(received.headers['webhook-signature']).split(' ').includes(signature)
  }
  assert.deepEqual(
    [endpoint.secret, rotated.secret].map((secret) => [verifies(secret, during), verifies(secret, after)]),
    [
      [true, false],
      [true, true],
    ],
  )
})

test('deliveries to one server reuse its connections', async () => {
  const acme = await tenant()
  const sockets = new Set<unknown>()
  const receiver = await startReceiver(({ socket }, response) => {
    sockets.add(socket)
    response.end()
  })
  const endpoint = await createEndpoint(acme, receiver)

  await ship(acme, 60)
  await waitForDeliveries(endpoint, (all) => all.length === 60 && all.every(({ state }) => state === 'succeeded'))

  assert.ok(sockets.size <= 20, `${sockets.size} connections`)
})

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

const unprocessedChanges = {
  owner_deactivated: `status = 'deactivated', deactivated_at = now()`,
  owner_role_changed: `role = 'viewer'`,
}
for (const [reason, change] of Object.entries(unprocessedChanges))
  test(`nothing is sent for an owner whose change is not yet processed, and enabling takes the endpoint over (${reason})`, async () => {
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
    const enabled = await acme.admin.patch(`/api/webhooks/${endpoint.id}`, { status: 'enabled' })
    assert.equal(enabled.body.owner_id, acme.admin.userId)
  })
