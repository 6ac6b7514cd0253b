import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createEndpoint, endpointsUrl, targetUrl } from './webhook-endpoints.fixture.ts'

const lines: string[] = []
const { tenant } = await startTestApp(
  { SAFE_FETCH_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'debug' },
  { onLine: (line) => void lines.push(line) },
)

test('an endpoint is created with a secret that is shown once, then read, changed and deleted', async () => {
  const acme = await tenant()

  const created = await acme.manager.post(endpointsUrl, { url: targetUrl, event_types: ['lead.*', 'team.created'] })
  const url = `${endpointsUrl}/${created.body.id}`
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
    url: targetUrl,
    status: 'enabled',
    disabled_reason: null,
    breaker: 'closed',
    rate_per_second: 50,
    version: 1,
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
  const { id } = await createEndpoint(acme)
  const optIns = async () =>
    (await acme.sql('select from platform.event_consumer_tenants where tenant_id = $1', [acme.id])).rowCount
  const before = await optIns()

  const disabled = await acme.manager.patch(`${endpointsUrl}/${id}`, { status: 'disabled' })
  const whileDisabled = await optIns()
  await acme.sql(
    `update operations.webhook_endpoints set breaker = 'open', next_probe_at = now(), consecutive_failures = 12,
     first_failure_at = now() where id = $1`,
    [id],
  )
  const enabled = await acme.manager.patch(`${endpointsUrl}/${id}`, { status: 'enabled' })

  assert.partialDeepStrictEqual(disabled.body, { status: 'disabled', disabled_reason: 'manual' })
  assert.partialDeepStrictEqual(enabled.body, {
    status: 'enabled',
    disabled_reason: null,
    breaker: 'closed',
    next_probe_at: null,
    consecutive_failures: 0,
    first_failure_at: null,
  })
  assert.deepEqual([before, whileDisabled, await optIns()], [1, 0, 1])
})

test('identity-11-13 the secret is in no read response, log line, audit entry or event', async () => {
  const acme = await tenant()
  const { id, secret } = await createEndpoint(acme)
  const { body: rotated } = await acme.manager.post(`${endpointsUrl}/${id}/rotate-secret`)
  await acme.manager.post(`${endpointsUrl}/${id}/test`)
  const replayed = [1, 2].map(() =>
    acme.manager.post(endpointsUrl, { url: targetUrl, event_types: ['lead.*'] }, { 'idempotency-key': 'once' }),
  )
  const [first] = await Promise.all(replayed)
  const again = await acme.manager.post(
    endpointsUrl,
    { url: targetUrl, event_types: ['lead.*'] },
    { 'idempotency-key': 'once' },
  )

  const outputs = [
    await acme.manager.get(endpointsUrl),
    await acme.manager.get(`${endpointsUrl}/${id}`),
    await acme.manager.get(`${endpointsUrl}/${id}/deliveries`),
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

test('invalid endpoints are rejected with their paths', async () => {
  const acme = await tenant()
  const refusal = async (fields: object) => {
    const { status, body } = await acme.manager.post(endpointsUrl, {
      url: targetUrl,
      event_types: ['lead.*'],
      ...fields,
    })
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
  assert.deepEqual((await acme.manager.get(endpointsUrl)).body.items, [])
})

test('a workspace can have 50 endpoints, also if they are created at the same time', async () => {
  const acme = await tenant()
  const { id } = await createEndpoint(acme)
  await acme.sql(
    `insert into operations.webhook_endpoints (tenant_id, id, url, event_types)
     select $1, gen_random_uuid(), 'https://hooks.example.com', '{*}' from generate_series(1, 47)`,
    [acme.id],
  )
  const body = { url: targetUrl, event_types: ['lead.*'] }

  const results = await Promise.all(Array.from({ length: 5 }, () => acme.manager.post(endpointsUrl, body)))

  assert.deepEqual(results.map(({ status }) => status).sort(), [201, 201, 409, 409, 409])
  const page = await acme.manager.get(`${endpointsUrl}?limit=20`)
  const next = await acme.manager.get(`${endpointsUrl}?limit=50&cursor=${page.body.next_cursor}`)
  assert.deepEqual([page.body.total, page.body.items.length + next.body.items.length], [50, 50])
  const enabled = await acme.manager.get(`${endpointsUrl}?status=enabled`)
  assert.equal(enabled.body.items.at(-1).id, id)
})

test('an imported endpoint has no secret and can be enabled after a rotation', async () => {
  const acme = await tenant()
  const id = newId()
  await acme.sql(
    `insert into operations.webhook_endpoints (tenant_id, id, url, event_types) values ($1, $2, $3, '{lead.*}')`,
    [acme.id, id, targetUrl],
  )
  const url = `${endpointsUrl}/${id}`

  const early = await acme.manager.patch(url, { status: 'enabled' })
  const rotated = await acme.manager.post(`${url}/rotate-secret`)
  const enabled = await acme.manager.patch(url, { status: 'enabled' })

  assert.deepEqual([early.status, early.body.code], [409, 'conflict'])
  assert.deepEqual([rotated.status, rotated.body.previous_secret_valid_until], [200, null])
  assert.partialDeepStrictEqual(enabled.body, { status: 'enabled', disabled_reason: null })
})
