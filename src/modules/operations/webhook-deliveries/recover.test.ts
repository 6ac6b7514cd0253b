import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForTask } from '#testing'
import { startReceiver } from '../../../platform/egress/receivers.stand-in.ts'
import { startWebhookApp } from './webhook-app.fixture.ts'

const app = await startWebhookApp()
const { tenant, createEndpoint, ship, waitForDeliveries, owner } = app
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString()
type Acme = Awaited<ReturnType<typeof tenant>>

const markAll = (endpoint: { id: string }, state: string) =>
  owner.query(
    'update operations.webhook_deliveries set state = $2, next_attempt_at = null, finished_at = now() where endpoint_id = $1',
    [endpoint.id, state],
  )

async function recover(acme: Acme, endpoint: { id: string }, body: object = {}) {
  const { status, body: started } = await acme.manager.post(`/api/webhooks/${endpoint.id}/recover`, {
    since: hourAgo(),
    ...body,
  })
  assert.equal(status, 202)
  return await waitForTask(acme, started)
}

test('identity-11-9 skipped events are redelivered one by one or recovered after the endpoint is enabled again', async () => {
  const acme = await tenant()
  const receiver = await startReceiver()
  const endpoint = await createEndpoint(acme, receiver, { event_types: ['parcel.shipped'] })
  const url = `/api/webhooks/${endpoint.id}`
  await ship(acme, 3)
  const first = await waitForDeliveries(
    endpoint,
    (all) => all.length === 3 && all.every(({ state }) => state === 'succeeded'),
  )
  await markAll(endpoint, 'skipped')
  await acme.manager.patch(url, { status: 'disabled' })
  await ship(acme, 2)

  const path = `${url}/deliveries/${first[0].id}/redeliver`
  const whileDisabled = [await acme.manager.post(path), await acme.manager.post(`${url}/recover`, { since: hourAgo() })]
  await acme.manager.patch(url, { status: 'enabled' })
  const redelivered = await acme.manager.post(path)
  await waitForDeliveries(endpoint, (all) =>
    all.some(({ id, state }) => id === redelivered.body.id && state === 'succeeded'),
  )
  const { state, result } = await recover(acme, endpoint)
  await waitForDeliveries(endpoint, (all) => all.filter((delivery) => delivery.state === 'succeeded').length === 5)
  const again = await recover(acme, endpoint)

  for (const { status, body } of whileDisabled) assert.deepEqual([status, body.code], [409, 'conflict'])
  assert.deepEqual([redelivered.status, redelivered.body.redelivery_of_id], [202, first[0].id])
  assert.deepEqual([state, result], ['succeeded', { recovered: 4 }])
  assert.deepEqual(again.result, { recovered: 0 })
  const sent = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(sent.length, 8)
  assert.equal(new Set(sent).size, 5)
  assert.equal(sent.filter((id) => id === first[0].event_id).length, 2)
  assert.equal((await app.readDeliveries(endpoint)).find(({ id }) => id === first[0].id).state, 'skipped')
})

test('only the given states and events that are still subscribed to are recovered', async () => {
  const acme = await tenant()
  const receiver = await startReceiver()
  const endpoint = await createEndpoint(acme, receiver)
  await ship(acme, 2)
  await waitForDeliveries(endpoint, (all) => all.length === 2 && all.every(({ state }) => state === 'succeeded'))

  await markAll(endpoint, 'failed')
  const skippedOnly = await recover(acme, endpoint, { states: ['skipped'] })
  await acme.manager.patch(`/api/webhooks/${endpoint.id}`, { event_types: ['team.created'] })
  const otherEvents = await recover(acme, endpoint, { states: ['failed'] })
  await acme.manager.patch(`/api/webhooks/${endpoint.id}`, { event_types: ['parcel.*'] })
  const failed = await recover(acme, endpoint, { states: ['failed'] })

  assert.deepEqual(
    [skippedOnly, otherEvents, failed].map(({ result }) => result.recovered),
    [0, 0, 2],
  )
})

test('a recovery must start within the retention of deliveries', async () => {
  const acme = await tenant()
  const endpoint = await createEndpoint(acme, await startReceiver())
  const url = `/api/webhooks/${endpoint.id}/recover`
  const since = new Date(Date.now() - 31 * 86_400_000).toISOString()

  const [tooEarly, missing, unknown] = [
    await acme.manager.post(url, { since }),
    await acme.manager.post(url),
    await acme.manager.post(url, { since: hourAgo(), states: ['succeeded'] }),
  ]

  assert.deepEqual([tooEarly.status, tooEarly.body.errors[0].path], [422, '/since'])
  assert.deepEqual([missing.status, missing.body.errors[0].path], [422, '/since'])
  assert.equal(unknown.status, 422)
})

test('a test is sent at once, recorded as a delivery, and does not change the state of the endpoint', async () => {
  const acme = await tenant()
  const receiver = await startReceiver(({ url }, response) => response.writeHead(url === '/bad' ? 500 : 204).end())
  const endpoint = await createEndpoint(acme, receiver)
  const url = `/api/webhooks/${endpoint.id}`

  const passed = await acme.manager.post(`${url}/test`)
  await acme.manager.patch(url, { url: `http://127.0.0.1:${receiver.port}/bad`, status: 'disabled' })
  const failed = await acme.manager.post(`${url}/test`)
  const { body: page } = await acme.viewer.get(`${url}/deliveries`)
  const { body: delivery } = await acme.viewer.get(`${url}/deliveries/${passed.body.delivery_id}`)

  assert.partialDeepStrictEqual(passed.body, { status: 204, error: null })
  assert.partialDeepStrictEqual(failed.body, { status: 500, error: 'status' })
  assert.deepEqual(
    page.items.map(({ id, state, attempt_count }: Record<string, unknown>) => [id, state, attempt_count]),
    [
      [failed.body.delivery_id, 'failed', 1],
      [passed.body.delivery_id, 'succeeded', 1],
    ],
  )
  assert.partialDeepStrictEqual(delivery.payload, { type: 'webhook.test', data: { endpoint_id: endpoint.id } })
  assert.equal('object' in delivery.payload, false)
  assert.equal(JSON.parse(receiver.received[0]!.body).type, 'webhook.test')
  assert.equal((await acme.manager.get(url)).body.consecutive_failures, 0)
})

test('deliveries are listed newest first and filtered by state, type and time', async () => {
  const acme = await tenant()
  const endpoint = await createEndpoint(acme, await startReceiver())
  const url = `/api/webhooks/${endpoint.id}/deliveries`
  await ship(acme, 3)
  const all = await waitForDeliveries(
    endpoint,
    (rows) => rows.length === 3 && rows.every(({ state }) => state === 'succeeded'),
  )
  await acme.manager.post(`/api/webhooks/${endpoint.id}/test`)
  await owner.query(`update operations.webhook_deliveries set state = 'failed' where id = $1`, [all[0].id])
  const idsOf = async (query: string) =>
    (await acme.viewer.get(`${url}?${query}`)).body.items.map(({ id }: { id: string }) => id)

  const first = await acme.viewer.get(`${url}?limit=2`)
  const second = await acme.viewer.get(`${url}?limit=2&cursor=${first.body.next_cursor}`)

  const listed = [...first.body.items, ...second.body.items].map(({ id }: { id: string }) => id)
  assert.deepEqual(listed, [...listed].sort().reverse())
  assert.equal(listed.length, 4)
  assert.deepEqual(await idsOf('state=failed,skipped'), [all[0].id])
  assert.equal((await idsOf('state=pending')).length, 0)
  assert.equal((await idsOf('event_type=parcel.shipped')).length, 3)
  assert.equal((await idsOf(`from=${new Date(Date.now() + 3_600_000).toISOString()}`)).length, 0)
  assert.equal((await idsOf(`to=${new Date(Date.now() + 3_600_000).toISOString()}&from=${hourAgo()}`)).length, 4)
  const inverted = await acme.viewer.get(`${url}?from=${new Date().toISOString()}&to=${hourAgo()}`)
  assert.deepEqual([inverted.status, inverted.body.errors[0].message], [422, '`to` must not be before `from`.'])
})

test('the payload of an event is hidden from callers who cannot read its resource', async () => {
  const acme = await tenant()
  const endpoint = await createEndpoint(acme, await startReceiver())
  await ship(acme)
  const [{ id }] = await waitForDeliveries(endpoint, ([first]) => first?.state === 'succeeded')
  const url = `/api/webhooks/${endpoint.id}/deliveries/${id}`
  const { body: key } = await acme.admin.post('/api/api-keys', { name: 'Log', scopes: ['webhooks.read'] })

  const [viewer, limited] = [await acme.viewer.get(url), await acme.bearer(`Bearer ${key.key}`).get(url)]

  assert.equal(viewer.body.payload.type, 'parcel.shipped')
  assert.deepEqual([limited.status, limited.body.payload], [200, null])
})

test('the data of an event about a record that may be hidden from a user is shown to managers and admins only', async () => {
  const acme = await tenant()
  const receiver = await startReceiver()
  const input = { url: `http://127.0.0.1:${receiver.port}/in`, event_types: ['learning_path.created'] }
  const { body: endpoint } = await acme.manager.post('/api/webhooks', input)

  await acme.manager.post('/api/enablement/learning/paths/', { title: 'Secret draft', type: 'product' })
  const [delivery] = await waitForDeliveries(endpoint, ([first]) => first?.state === 'succeeded')

  const payloadFor = async (user: typeof acme.member) =>
    (await user.get(`/api/webhooks/${endpoint.id}/deliveries/${delivery.id}`)).body.payload
  assert.deepEqual([await payloadFor(acme.viewer), await payloadFor(acme.member)], [null, null])
  assert.equal((await payloadFor(acme.manager)).data.title, 'Secret draft')
})
