import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { app, tenant, client, domain } = await startTestApp()
const sales = { name: 'Sales', color: '#0055aa' }

test('all validation errors of a request are reported at once', async () => {
  const { manager } = await tenant()

  const { status, headers, body } = await manager.patch('/api/teams/42', { name: '', color: 7, nmae: 'x' })

  assert.equal(status, 422)
  assert.match(headers['content-type'], /^application\/problem\+json/)
  assert.partialDeepStrictEqual(body, {
    type: '/reference/errors/validation_failed',
    code: 'validation_failed',
    status: 422,
  })
  assert.equal(body.request_id, headers['x-request-id'])
  const problems = body.errors.map((error: { in: string; path: string }) => `${error.in} ${error.path}`)
  assert.deepEqual([...new Set(problems)].sort(), ['body /color', 'body /name', 'body /nmae', 'path /team_id'])
})

test('bodies are validated without type coercion, query strings with it', async () => {
  const { manager } = await tenant()
  const post = async (body: unknown, headers = {}) => {
    const response = await manager.post('/api/teams/', body, headers)
    return [response.status, response.body.code]
  }

  assert.deepEqual(await post('{"name":'), [422, 'malformed_json'])
  assert.deepEqual(await post('{"__proto__":{"name":"x"}}'), [422, 'malformed_json'])
  assert.deepEqual(await post(Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1')), [422, 'malformed_json'])
  assert.deepEqual(await post(`${'['.repeat(100)}${']'.repeat(100)}`), [422, 'validation_failed'])
  assert.deepEqual(await post({ name: 7 }), [422, 'validation_failed'])
  assert.deepEqual(await post({ name: 'a\0b' }), [422, 'validation_failed'])
  assert.deepEqual(await post({ name: '\ud800' }), [422, 'validation_failed'])
  assert.deepEqual(await post('{"name":1e400}'), [422, 'validation_failed'])
  assert.deepEqual(await post({ name: '  ' }), [422, 'validation_failed'])
  assert.deepEqual(await post({ name: 'x'.repeat(1_100_000) }), [413, 'too_large'])
  assert.deepEqual(await post('name=x', { 'content-type': 'application/x-www-form-urlencoded' }), [
    415,
    'unsupported_media_type',
  ])
  assert.deepEqual(await post('{}', { 'content-type': 'application/json; charset=latin1' }), [
    415,
    'unsupported_media_type',
  ])
  assert.deepEqual(await post('{}', { 'content-encoding': 'gzip' }), [415, 'unsupported_media_type'])
  assert.equal((await manager.get('/api/teams/?limit=1')).body.limit, 1)
  assert.equal((await manager.get('/api/teams/?limit=0')).status, 422)
  assert.equal((await manager.get('/api/teams/?limit=201')).status, 422)
  assert.equal((await manager.get('/api/teams/?color=red')).status, 422)
  assert.equal((await manager.get('/api/teams/?cursor=nonsense')).status, 422)
  assert.equal((await manager.get('/api/teams/?search=%00')).status, 422)
})

test('an empty body is parsed as {}, and a route without a body rejects any other', async () => {
  const { manager, member } = await tenant()
  const { body: team } = await manager.post('/api/teams/', sales)
  const role = `/api/teams/${team.id}/members/${member.userId}`
  await manager.post(`/api/teams/${team.id}/members`, { user_id: member.userId })

  assert.equal((await manager.post('/api/teams/', '')).status, 422)
  assert.equal((await manager.patch(`${role}?role=lead`, '')).status, 200)
  assert.equal((await manager.patch(`${role}?role=member`, {})).status, 200)
  assert.equal((await manager.patch(`${role}?role=lead`, { role: 'lead' })).status, 422)
})

test('a body for a delete is rejected unless it is empty', async () => {
  const { manager } = await tenant()
  const { body: team } = await manager.post('/api/teams/', sales)
  const remove = async (body: unknown, headers = {}) =>
    (await manager.delete(`/api/teams/${team.id}`, headers, body)).status

  assert.equal(await remove('x', { 'content-type': 'text/plain' }), 415)
  assert.equal(await remove({ name: 'x'.repeat(1_100_000) }), 413)
  assert.equal(await remove({ name: 'x' }), 422)
  assert.equal(await remove({}), 204)
})

test('the body of a GET is ignored, whatever its size', async () => {
  const { manager, host } = await tenant()
  const headers = { host, authorization: `Bearer ${manager.accessToken}`, 'content-type': 'application/json' }

  const { statusCode } = await app.inject({ url: '/api/teams/', headers, payload: `["${'x'.repeat(1_100_000)}"]` })

  assert.equal(statusCode, 200)
})

test('the body of an authentication route has at most 16 KiB', async () => {
  const { anonymous, member } = await tenant()
  const logIn = (length: number) =>
    anonymous.post('/api/auth/login', { email: member.email, password: 'x'.repeat(length) })

  const { status, body } = await logIn(17_000)

  assert.deepEqual([status, body.code, body.detail], [413, 'too_large', 'The body must not exceed 16 KiB.'])
  assert.equal((await logIn(15_000)).status, 422)
})

test('bodies with too many values, keys or levels are rejected', async () => {
  const { manager } = await tenant()
  const problemOf = async (json: string) => (await manager.post('/api/teams/', json)).body

  const values = await problemOf(`[${'0,'.repeat(50_000)}0]`)
  const keys = await problemOf(`{${'"a":0,'.repeat(10_000)}"a":0}`)
  const levels = await problemOf(`{"name":${'['.repeat(20)}${']'.repeat(20)}}`)

  assert.deepEqual([values.code, values.detail], ['too_large', 'The body must not contain more than 50,000 values.'])
  assert.deepEqual([keys.code, keys.detail], ['too_large', 'The body must not contain more than 10,000 field names.'])
  assert.deepEqual(
    [levels.code, levels.errors[0].message],
    ['validation_failed', 'The body must not be nested more than 20 levels deep.'],
  )
})

test('at most 100 problems of a request are reported, and only the first of a large body', async () => {
  const { manager } = await tenant()
  const namesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, n]))
  const problemsOf = async (body: object) => (await manager.post('/api/teams/', body)).body.errors.length

  assert.equal(await problemsOf(namesOf(99)), 100)
  assert.equal(await problemsOf(namesOf(1_000)), 100)
  assert.equal(await problemsOf(namesOf(2_001)), 1)
  assert.equal(await problemsOf({ color: 7, description: 'x'.repeat(70_000) }), 1)
})

test('long names from the request are shortened in the problem document', async () => {
  const { manager } = await tenant()

  const { body } = await manager.post('/api/teams/', { name: 'x', ['k'.repeat(10_000)]: 0 })

  assert.deepEqual(body.errors, [
    {
      in: 'body',
      path: `/${'k'.repeat(199)}…`,
      code: 'additionalProperties',
      message: `\`${'k'.repeat(100)}…\` is not a known field.`,
    },
  ])
})

test('a path works with and without a trailing slash', async () => {
  const { manager } = await tenant()
  const { body: team } = await manager.post('/api/teams', sales)

  assert.equal((await manager.get('/api/teams')).body.total, 1)
  assert.equal((await manager.get(`/api/teams/${team.id}/`)).body.id, team.id)
})

test('authentication and authorization errors take precedence over validation errors', async () => {
  const { member, anonymous, bearer } = await tenant()

  const unknown = await anonymous.post('/api/teams/', '{"name":')
  const nonsense = await bearer('Basic YTpi').get('/api/teams/')
  const forbidden = await member.post('/api/teams/', '{"name":')

  assert.deepEqual([unknown.status, unknown.body.code], [401, 'authentication_required'])
  assert.match(unknown.headers['www-authenticate'], /^Bearer/)
  assert.equal(nonsense.status, 401)
  assert.deepEqual([forbidden.status, forbidden.body.required_scope], [403, 'teams.write'])
})

test('an update with an outdated If-Match is rejected', async () => {
  const { manager } = await tenant()
  const { body: team, headers } = await manager.post('/api/teams/', sales)

  const first = await manager.patch(`/api/teams/${team.id}`, { name: 'Sellers' }, { 'if-match': headers.etag })
  const outdated = await manager.patch(`/api/teams/${team.id}`, { name: 'Hunters' }, { 'if-match': headers.etag })
  const otherTag = await manager.patch(`/api/teams/${team.id}`, { name: 'Hunters' }, { 'if-match': 'W/"2", "x"' })

  assert.deepEqual([headers.etag, first.headers.etag], ['"1"', '"2"'])
  assert.deepEqual([outdated.status, outdated.body.code, otherTag.status], [412, 'version_mismatch', 412])
  assert.equal((await manager.get(`/api/teams/${team.id}`)).body.name, 'Sellers')
})

test('an If-Match header without quotes is rejected with a message that says so', async () => {
  const { manager } = await tenant()
  const { body: team } = await manager.post('/api/teams/', sales)
  const rename = (version: string) => manager.patch(`/api/teams/${team.id}`, { name: 'X' }, { 'if-match': version })

  for (const version of ['1', 'yesterday', '"1', "'1'", 'W/1', '']) {
    const { status, body } = await rename(version)
    assert.deepEqual([version, status, body.code], [version, 422, 'validation_failed'])
    assert.partialDeepStrictEqual(body.errors, [
      {
        in: 'header',
        path: '/if-match',
        message: '`If-Match` must be a version in double quotes, such as `"3"`, as in the `ETag` header.',
      },
    ])
  }
  assert.deepEqual([(await rename('"1"')).status, (await rename('*')).status], [200, 200])
})

test('a list has a total and links to other pages', async () => {
  const { manager } = await tenant()
  for (const name of ['A', 'B', 'C', 'D', 'E']) await manager.post('/api/teams/', { name })

  const first = await manager.get('/api/teams/?limit=2')
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.link)?.[1] ?? ''
  const second = await manager.get(next)
  const third = await manager.get(`/api/teams/?limit=2&cursor=${second.body.next_cursor}`)
  const skipped = await manager.get('/api/teams/?limit=2&offset=2&count=none')

  assert.equal(first.headers['x-total-count'], '5')
  const names = [first, second, third].map(({ body }) => body.items.map((team: { name: string }) => team.name).join(''))
  assert.deepEqual(names, ['AB', 'CD', 'E'])
  assert.deepEqual([first.body.total, second.body.total, third.body.next_cursor], [5, null, null])
  assert.deepEqual([skipped.body.items[0].name, skipped.body.total], ['C', null])
  assert.match(skipped.headers.link, /rel="first".*offset=0.*rel="prev"/)
})

test('a create response has a Location header', async () => {
  const { manager } = await tenant()

  const { status, headers, body } = await manager.post('/api/teams/', sales)

  assert.equal(status, 201)
  assert.equal(headers.location, `/api/teams/${body.id}`)
  assert.equal((await manager.get(headers.location)).body.id, body.id)
})

test('every response has a request id: the one of the caller, if it is safe to log', async () => {
  const { anonymous } = await tenant()
  const idOf = async (id: string) =>
    (await anonymous.get('/api/teams/', { 'x-request-id': id })).headers['x-request-id']

  assert.equal(await idOf('order-4711'), 'order-4711')
  assert.match(await idOf('two\twords'), /^[0-9a-f-]{36}$/)
  assert.match(await idOf('x'.repeat(129)), /^[0-9a-f-]{36}$/)
  const generated = await Promise.all(Array.from({ length: 300 }, () => idOf('')))
  assert.equal(new Set(generated).size, 300)
})

/** The headers that Helmet sets by default, with the strictest policy for JSON. */
const securityHeaders = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

test('responses and errors have security headers and are not cached', async () => {
  const { manager, member, anonymous } = await tenant()

  const responses = [
    await member.get('/api/teams/'),
    await manager.post('/api/teams/', { name: 7 }),
    await member.get('/api/nothing'),
    await anonymous.get('/api/teams/'),
    await client({ host: `nowhere.${domain}` }).get('/api/teams/'),
    await anonymous.get('/health'),
  ]

  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 422, 404, 401, 404, 200],
  )
  for (const { headers } of responses) {
    assert.partialDeepStrictEqual(headers, { ...securityHeaders, 'cache-control': 'no-store' })
    assert.equal(headers['x-powered-by'], undefined)
  }
})

test('a page has its own content security policy and all other security headers', async () => {
  const { anonymous } = await tenant()

  const { headers } = await anonymous.get('/login')

  const { 'content-security-policy': policy, ...others } = securityHeaders
  assert.partialDeepStrictEqual(headers, others)
  assert.notEqual(headers['content-security-policy'], policy)
  assert.match(headers['content-security-policy'], /^default-src 'none'/)
})

test('unknown routes return 404 with and without a credential', async () => {
  const { member, anonymous } = await tenant()

  assert.equal((await member.get('/api/nothing')).body.code, 'not_found')
  assert.equal((await anonymous.get('/api/nothing')).body.code, 'not_found')
  assert.equal((await member.post('/api/teams/1/nothing', {})).body.code, 'not_found')
  assert.equal((await member.get('/api/%74eams/')).status, 200)
  assert.equal((await client({ host: domain }).get('/api/teams/')).body.code, 'tenant_not_found')
})
