import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const lines: string[] = []
const { tenant, owner } = await startTestApp(
  { SAFE_FETCH_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'debug' },
  { onLine: (line) => void lines.push(line) },
)
const collection = '/api/webhooks'
const target = 'http://127.0.0.1:9/in?token=hush'
type Acme = Awaited<ReturnType<typeof tenant>>

async function create(acme: Acme, fields: object = {}, caller: 'admin' | 'manager' = 'manager') {
  const { status, body } = await acme[caller].post(collection, { url: target, event_types: ['lead.*'], ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

test('an endpoint is created with a secret that is shown once, then read, changed and deleted', async () => {
  const acme = await tenant()

  const created = await acme.manager.post(collection, { url: target, event_types: ['lead.*', 'team.created'] })
  const url = `${collection}/${created.body.id}`
  const shown = await acme.manager.get(url)
  const changed = await acme.manager.patch(url, {
    description: 'CRM sync',
    rate_per_second: 5,
    event_types: ['lead.created'],
  })
  const same = await acme.manager.patch(url, { description: 'CRM sync' })
  const stale = await acme.manager.patch(url, { description: 'Old' }, { 'if-match': '"1"' })
  const deleted = await acme.manager.delete(url)

  const { rows: entries } = await acme.sql('select * from platform.audit_log where tenant_id = $1', [acme.id])
  assert.doesNotMatch(JSON.stringify(entries), /hush/)
  assert.deepEqual([created.status, created.headers.location], [201, url])
  const { secret, ...endpoint } = created.body
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(shown.body, endpoint)
  assert.partialDeepStrictEqual(endpoint, {
    ...{ url: target, status: 'enabled', disabled_reason: null, breaker: 'closed', rate_per_second: 50, version: 1 },
    created_by: acme.manager.userId,
  })
  assert.partialDeepStrictEqual(changed.body, { rate_per_second: 5, event_types: ['lead.created'], version: 2 })
  assert.deepEqual([same.body.version, stale.status, deleted.status], [2, 412, 204])
  assert.equal((await acme.manager.get(url)).status, 404)
  const expected = ['webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.deleted']
  assert.deepEqual(await acme.events(), expected)
  assert.deepEqual(await acme.audit(), expected)
})

test('a disabled endpoint is enabled again with a closed breaker and no failures', async () => {
  const acme = await tenant()
  const { id } = await create(acme)
  const optIns = async () =>
    (await acme.sql('select from platform.event_consumer_tenants where tenant_id = $1', [acme.id])).rowCount
  const before = await optIns()

  const disabled = await acme.manager.patch(`${collection}/${id}`, { status: 'disabled' })
  const whileDisabled = await optIns()
  await acme.sql(
    `update operations.webhook_endpoints set breaker = 'open', next_probe_at = now(), consecutive_failures = 12,
     first_failure_at = now() where id = $1`,
    [id],
  )
  const enabled = await acme.manager.patch(`${collection}/${id}`, { status: 'enabled' })

  assert.partialDeepStrictEqual(disabled.body, { status: 'disabled', disabled_reason: 'manual' })
  assert.partialDeepStrictEqual(enabled.body, {
    ...{ status: 'enabled', disabled_reason: null, breaker: 'closed', next_probe_at: null },
    ...{ consecutive_failures: 0, first_failure_at: null },
  })
  assert.deepEqual([before, whileDisabled, await optIns()], [1, 0, 1])
})

test('the query string of the URL is masked for members and viewers', async () => {
  const acme = await tenant()
  const { id } = await create(acme)
  const urlSeenBy = async (caller: 'admin' | 'manager' | 'member' | 'viewer') => [
    (await acme[caller].get(`${collection}/${id}`)).body.url,
    (await acme[caller].get(collection)).body.items[0].url,
  ]

  for (const caller of ['admin', 'manager'] as const) assert.deepEqual(await urlSeenBy(caller), [target, target])
  const masked = 'http://127.0.0.1:9/in?…'
  for (const caller of ['member', 'viewer'] as const) assert.deepEqual(await urlSeenBy(caller), [masked, masked])
})

test('identity-11-10 managers cannot subscribe to events about users and administration', async () => {
  const acme = await tenant()
  const named = await acme.manager.post(collection, { url: target, event_types: ['lead.*', 'user.created'] })
  const admin = await acme.manager.post(collection, { url: target, event_types: ['api_key.created'] })
  const wildcard = await create(acme, { event_types: ['*', 'user.*'] })
  const ofAdmin = await create(acme, { event_types: ['*'] }, 'admin')
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
  const { id } = await create(acme, { event_types: ['*'] }, 'admin')
  const url = `${collection}/${id}`

  const refused = [
    await acme.manager.patch(url, { url: 'http://127.0.0.1:9/mine' }),
    await acme.manager.patch(url, { url: 'http://127.0.0.1:9/mine', event_types: ['lead.*'] }),
    await acme.manager.patch(url, { event_types: ['lead.*'] }),
    await acme.manager.post(`${url}/rotate-secret`),
  ]
  const allowed = await acme.manager.patch(url, { status: 'disabled', description: 'Too many events' })

  for (const { status, body } of refused) assert.deepEqual([status, body.code], [403, 'role_required'])
  assert.deepEqual([allowed.status, allowed.body.url, allowed.body.event_types], [200, target, ['*']])
})

test('creating an endpoint, its URL, event types and secret need a fresh sign-in and no API key', async () => {
  const acme = await tenant()
  const { id } = await create(acme)
  const { body: key } = await acme.admin.post('/api/api-keys', { name: 'Hooks', scopes: ['webhooks.write'] })
  const url = `${collection}/${id}`
  type Caller = Pick<Acme['manager'], 'post' | 'patch'>
  const codesFor = async (caller: Caller) => {
    const responses = [
      await caller.post(collection, { url: target, event_types: ['lead.created'] }),
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
  const [own, foreign] = [await create(acme), await create(other)]
  const { body: tested } = await other.manager.post(`${collection}/${foreign.id}/test`)
  const deliveries = `${collection}/${foreign.id}/deliveries`

  const responses = [
    await acme.admin.get(`${collection}/${foreign.id}`),
    await acme.admin.patch(`${collection}/${foreign.id}`, { status: 'disabled' }),
    await acme.admin.delete(`${collection}/${foreign.id}`),
    await acme.admin.post(`${collection}/${foreign.id}/rotate-secret`),
    await acme.admin.post(`${collection}/${foreign.id}/test`),
    await acme.admin.post(`${collection}/${foreign.id}/recover`, { since: new Date().toISOString() }),
    await acme.admin.get(deliveries),
    await acme.admin.get(`${deliveries}/${tested.delivery_id}`),
    await acme.admin.post(`${deliveries}/${tested.delivery_id}/redeliver`),
    await acme.admin.get(`${collection}/${own.id}/deliveries/${tested.delivery_id}`),
    await acme.admin.post(`${collection}/${own.id}/deliveries/${newId()}/redeliver`),
  ]

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'not_found'])
  assert.equal((await other.manager.get(`${deliveries}/${tested.delivery_id}`)).status, 200)
})

test('identity-11-13 the secret is in no read response, log line, audit entry or event', async () => {
  const acme = await tenant()
  const { id, secret } = await create(acme)
  const { body: rotated } = await acme.manager.post(`${collection}/${id}/rotate-secret`)
  await acme.manager.post(`${collection}/${id}/test`)
  const replayed = [1, 2].map(() =>
    acme.manager.post(collection, { url: target, event_types: ['lead.*'] }, { 'idempotency-key': 'once' }),
  )
  const [first] = await Promise.all(replayed)
  const again = await acme.manager.post(
    collection,
    { url: target, event_types: ['lead.*'] },
    { 'idempotency-key': 'once' },
  )

  const outputs = [
    await acme.manager.get(collection),
    await acme.manager.get(`${collection}/${id}`),
    await acme.manager.get(`${collection}/${id}/deliveries`),
    again.body,
    lines,
    ...(await Promise.all(
      [
        'platform.audit_log',
        'platform.outbox_events',
        'platform.idempotency_keys',
        'operations.webhook_deliveries',
      ].map(async (table) => (await acme.sql(`select * from ${table} where tenant_id = $1`, [acme.id])).rows),
    )),
    (
      await acme.sql('select encode(secret, $2) from operations.webhook_endpoints where tenant_id = $1', [
        acme.id,
        'escape',
      ])
    ).rows,
  ]
  const text = JSON.stringify(outputs)
  for (const shown of [secret, rotated.secret, first!.body.secret ?? '-'])
    assert.ok(shown === '-' || !text.includes(shown.slice('whsec_'.length)), 'the secret was exposed')
  assert.equal(again.body.secret, null)
})

test('members and viewers can read endpoints but not change them', async () => {
  const acme = await tenant()
  const { id } = await create(acme)
  const refused = [
    await acme.member.post(collection, { url: target, event_types: ['lead.*'] }),
    await acme.viewer.patch(`${collection}/${id}`, { status: 'disabled' }),
    await acme.member.post(`${collection}/${id}/rotate-secret`),
    await acme.member.post(`${collection}/${id}/test`),
    await acme.member.delete(`${collection}/${id}`),
  ]

  for (const { status, body } of refused) assert.deepEqual([status, body.code], [403, 'scope_required'])
  assert.equal((await acme.viewer.get(`${collection}/${id}`)).status, 200)
  assert.equal((await acme.anonymous.get(collection)).status, 401)
})

test('invalid endpoints are rejected with their paths', async () => {
  const acme = await tenant()
  const refusal = async (fields: object) => {
    const { status, body } = await acme.manager.post(collection, { url: target, event_types: ['lead.*'], ...fields })
    return [status, body.errors?.[0]?.path, body.errors?.[0]?.code]
  }

  assert.deepEqual(await refusal({ event_types: [] }), [422, '/event_types', 'minItems'])
  assert.deepEqual(await refusal({ event_types: ['lead.*', 'lead.unknown'] }), [
    422,
    '/event_types/1',
    'unknown_event_type',
  ])
  assert.deepEqual(await refusal({ event_types: ['unknown.*'] }), [422, '/event_types/0', 'unknown_event_type'])
  assert.deepEqual(await refusal({ event_types: ['lead*'] }), [422, '/event_types/0', 'pattern'])
  assert.deepEqual(await refusal({ rate_per_second: 201 }), [422, '/rate_per_second', 'maximum'])
  assert.deepEqual(await refusal({ url: 'ftp://hooks.example.com/' }), [422, '/url', 'invalid_url'])
  assert.deepEqual(await refusal({ url: 'https://acme.tributary.test/api/leads/' }), [422, '/url', 'blocked_address'])
  assert.deepEqual(await refusal({ secret: 'whsec_mine' }), [422, '/secret', 'additionalProperties'])
  assert.deepEqual((await acme.manager.get(collection)).body.items, [])
})

test('a workspace can have 50 endpoints, also if they are created at the same time', async () => {
  const acme = await tenant()
  const { id } = await create(acme)
  await acme.sql(
    `insert into operations.webhook_endpoints (tenant_id, id, url, event_types)
     select $1, gen_random_uuid(), 'https://hooks.example.com', '{*}' from generate_series(1, 47)`,
    [acme.id],
  )
  const body = { url: target, event_types: ['lead.*'] }

  const results = await Promise.all(Array.from({ length: 5 }, () => acme.manager.post(collection, body)))

  assert.deepEqual(results.map(({ status }) => status).sort(), [201, 201, 409, 409, 409])
  const page = await acme.manager.get(`${collection}?limit=20`)
  const next = await acme.manager.get(`${collection}?limit=50&cursor=${page.body.next_cursor}`)
  assert.deepEqual([page.body.total, page.body.items.length + next.body.items.length], [50, 50])
  const enabled = await acme.manager.get(`${collection}?status=enabled`)
  assert.equal(enabled.body.items.at(-1).id, id)
})

test('an imported endpoint has no secret and can be enabled after a rotation', async () => {
  const acme = await tenant()
  const id = newId()
  await acme.sql(
    `insert into operations.webhook_endpoints (tenant_id, id, url, event_types) values ($1, $2, $3, '{lead.*}')`,
    [acme.id, id, target],
  )
  const url = `${collection}/${id}`

  const early = await acme.manager.patch(url, { status: 'enabled' })
  const rotated = await acme.manager.post(`${url}/rotate-secret`)
  const enabled = await acme.manager.patch(url, { status: 'enabled' })

  assert.deepEqual([early.status, early.body.code], [409, 'conflict'])
  assert.deepEqual([rotated.status, rotated.body.previous_secret_valid_until], [200, null])
  assert.partialDeepStrictEqual(enabled.body, { status: 'enabled', disabled_reason: null })
})
