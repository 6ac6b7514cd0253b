import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEgress } from '#platform/egress'
import { startWebhookApp } from '../webhook-deliveries/webhook-app.fixture.ts'

const addresses: Record<string, string[]> = {
  'private.example.com': ['10.0.0.5'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'mixed.example.com': ['93.184.215.14', '10.0.0.5'],
  'hooks.example.com': ['93.184.215.14'],
}
const config = { APP_DOMAIN: 'tributary.test', SAFE_FETCH_ALLOW_PRIVATE: false }
const egress = createEgress({ config, resolve: async (host) => addresses[host] ?? [] })
const app = await startWebhookApp({}, { prepare: (services) => void Object.assign(services, { egress }) })
const { tenant, ship, waitForDeliveries } = app

test('identity-11-5 hosts with a private address are rejected at creation and at every attempt', async () => {
  const acme = await tenant()
  const event_types = ['parcel.shipped']
  const create = (host: string) => acme.manager.post('/api/webhooks', { url: `https://${host}/in`, event_types })

  const rejected = await Promise.all(Object.keys(addresses).slice(0, 4).map(create))
  const unknown = await create('unknown.example.com')
  const { status, body: endpoint } = await create('hooks.example.com')
  const moved = await acme.manager.patch(`/api/webhooks/${endpoint.id}`, { url: 'https://private.example.com/in' })
  addresses['hooks.example.com'] = ['10.0.0.5']
  await ship(acme)
  const [delivery] = await waitForDeliveries(endpoint, ([first]) => first?.attempts === 1)

  for (const { status: refused, body } of [...rejected, moved])
    assert.deepEqual(
      [refused, body.code, body.errors[0].path, body.errors[0].code],
      [422, 'validation_failed', '/url', 'blocked_address'],
    )
  assert.deepEqual([unknown.status, unknown.body.errors[0].code], [422, 'dns'])
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(delivery, { state: 'pending', last_status: null, last_error: 'blocked_address' })
})
