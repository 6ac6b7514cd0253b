import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createEndpoint, endpointsUrl, targetUrl } from './webhook-endpoints.fixture.ts'

const { tenant, owner } = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' })

test('the query string of the URL is masked for members and viewers', async () => {
  const acme = await tenant()
  const { id } = await createEndpoint(acme)
  const urlSeenBy = async (caller: 'admin' | 'manager' | 'member' | 'viewer') => [
    (await acme[caller].get(`${endpointsUrl}/${id}`)).body.url,
    (await acme[caller].get(endpointsUrl)).body.items[0].url,
  ]

  for (const caller of ['admin', 'manager'] as const) assert.deepEqual(await urlSeenBy(caller), [targetUrl, targetUrl])
  const masked = 'http://127.0.0.1:9/in?…'
  for (const caller of ['member', 'viewer'] as const) assert.deepEqual(await urlSeenBy(caller), [masked, masked])
})

test('no part of a URL that may be a token is in the audit log', async () => {
  const acme = await tenant()
  const origin = 'http://127.0.0.1:9'
  const { id } = await createEndpoint(acme, { url: `${origin}/services/hush/in?token=hush` })
  const url = `${endpointsUrl}/${id}`

  await acme.manager.patch(url, { url: `${origin}/services/hush-too` })
  await acme.manager.post(`${url}/rotate-secret`)
  await acme.manager.post(`${url}/recover`, { since: new Date().toISOString() })
  await acme.manager.delete(url)
  const { body, text } = await acme.admin.get(`/api/admin/audit-log?resource_type=webhook_endpoint&resource_id=${id}`)

  assert.doesNotMatch(text, /hush/)
  assert.ok(body.items.length >= 4)
  for (const { resource_label } of body.items) assert.equal(resource_label, `${origin}/…`)
  const updated = body.items.find(({ action }: { action: string }) => action === 'webhook_endpoint.updated')
  assert.ok(updated.changes.some(({ field }: { field: string }) => field === 'is_url_changed'))
})

test('identity-11-10 managers cannot subscribe to events about users and administration', async () => {
  const acme = await tenant()
  const named = await acme.manager.post(endpointsUrl, { url: targetUrl, event_types: ['lead.*', 'user.created'] })
  const admin = await acme.manager.post(endpointsUrl, { url: targetUrl, event_types: ['api_key.created'] })
  const wildcard = await createEndpoint(acme, { event_types: ['*', 'user.*'] })
  const ofAdmin = await createEndpoint(acme, { event_types: ['*'] }, 'admin')
  const { rows } = await owner.query(
    'select id, excluded_resources from operations.webhook_endpoints where tenant_id = $1 order by id',
    [acme.id],
  )

  assert.deepEqual([named.status, named.body.code], [403, 'role_required'])
  assert.deepEqual([admin.status, admin.body.code], [403, 'role_required'])
  assert.deepEqual(rows, [
    { id: wildcard.id, excluded_resources: ['users', 'admin'] },
    { id: ofAdmin.id, excluded_resources: [] },
  ])
})

test('a manager cannot redirect the events of an admin or read a secret that signs them', async () => {
  const acme = await tenant()
  const { id } = await createEndpoint(acme, { event_types: ['*'] }, 'admin')
  const url = `${endpointsUrl}/${id}`

  const refused = [
    await acme.manager.patch(url, { url: 'http://127.0.0.1:9/mine' }),
    await acme.manager.patch(url, { url: 'http://127.0.0.1:9/mine', event_types: ['lead.*'] }),
    await acme.manager.patch(url, { event_types: ['lead.*'] }),
    await acme.manager.post(`${url}/rotate-secret`),
  ]
  const allowed = await acme.manager.patch(url, { status: 'disabled', description: 'Too many events' })

  for (const { status, body } of refused) assert.deepEqual([status, body.code], [403, 'role_required'])
  assert.deepEqual([allowed.status, allowed.body.url, allowed.body.event_types], [200, targetUrl, ['*']])
})

test('creating an endpoint, its URL, event types and secret need a fresh sign-in and no API key', async () => {
  const acme = await tenant()
  const { id } = await createEndpoint(acme)
  const { body: key } = await acme.admin.post('/api/api-keys', { name: 'Hooks', scopes: ['webhooks.write'] })
  const url = `${endpointsUrl}/${id}`
  type Caller = Pick<Awaited<ReturnType<typeof tenant>>['manager'], 'post' | 'patch'>
  const codesFor = async (caller: Caller) => {
    const responses = [
      await caller.post(endpointsUrl, { url: targetUrl, event_types: ['lead.created'] }),
      await caller.patch(url, { url: 'http://127.0.0.1:9/mine' }),
      await caller.patch(url, { event_types: ['lead.created'] }),
      await caller.post(`${url}/rotate-secret`),
      await caller.patch(url, { description: 'CRM sync' }),
    ]
    return responses.map(({ status, body }) => body.code ?? status)
  }

  const byKey = await codesFor(acme.bearer(`Bearer ${key.key}`))
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes' where id = $1`,
    [acme.manager.sessionId],
  )
  const stale = await codesFor(acme.manager)

  assert.deepEqual(byKey, [...Array(4).fill('session_required'), 200])
  assert.deepEqual(stale, [...Array(4).fill('reauthentication_required'), 200])
})

test('identity-11-12 endpoints and deliveries of another workspace are not found', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [own, foreign] = [await createEndpoint(acme), await createEndpoint(other)]
  const { body: tested } = await other.manager.post(`${endpointsUrl}/${foreign.id}/test`)
  const deliveries = `${endpointsUrl}/${foreign.id}/deliveries`

  const responses = [
    await acme.admin.get(`${endpointsUrl}/${foreign.id}`),
    await acme.admin.patch(`${endpointsUrl}/${foreign.id}`, { status: 'disabled' }),
    await acme.admin.delete(`${endpointsUrl}/${foreign.id}`),
    await acme.admin.post(`${endpointsUrl}/${foreign.id}/rotate-secret`),
    await acme.admin.post(`${endpointsUrl}/${foreign.id}/test`),
    await acme.admin.post(`${endpointsUrl}/${foreign.id}/recover`, { since: new Date().toISOString() }),
    await acme.admin.get(deliveries),
    await acme.admin.get(`${deliveries}/${tested.delivery_id}`),
    await acme.admin.post(`${deliveries}/${tested.delivery_id}/redeliver`),
    await acme.admin.get(`${endpointsUrl}/${own.id}/deliveries/${tested.delivery_id}`),
    await acme.admin.post(`${endpointsUrl}/${own.id}/deliveries/${newId()}/redeliver`),
  ]

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'not_found'])
  assert.equal((await other.manager.get(`${deliveries}/${tested.delivery_id}`)).status, 200)
})

test('members and viewers can read endpoints but not change them', async () => {
  const acme = await tenant()
  const { id } = await createEndpoint(acme)
  const refused = [
    await acme.member.post(endpointsUrl, { url: targetUrl, event_types: ['lead.*'] }),
    await acme.viewer.patch(`${endpointsUrl}/${id}`, { status: 'disabled' }),
    await acme.member.post(`${endpointsUrl}/${id}/rotate-secret`),
    await acme.member.post(`${endpointsUrl}/${id}/test`),
    await acme.member.delete(`${endpointsUrl}/${id}`),
  ]

  for (const { status, body } of refused) assert.deepEqual([status, body.code], [403, 'scope_required'])
  assert.equal((await acme.viewer.get(`${endpointsUrl}/${id}`)).status, 200)
  assert.equal((await acme.anonymous.get(endpointsUrl)).status, 401)
})
