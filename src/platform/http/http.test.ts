import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant, client, domain } = await startTestApp()
const sales = { name: 'Sales', color: '#0055aa' }

test('everything that is wrong with a request is told at once', async () => {
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

test('bodies are taken as they are, query strings are read', async () => {
  const { manager } = await tenant()
  const refused = async (body: unknown, headers = {}) => {
    const answer = await manager.post('/api/teams/', body, headers)
    return [answer.status, answer.body.code]
  }

  assert.deepEqual(await refused('{"name":'), [422, 'malformed_json'])
  assert.deepEqual(await refused('{"__proto__":{"name":"x"}}'), [422, 'malformed_json'])
  assert.deepEqual(await refused(Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1')), [422, 'malformed_json'])
  assert.deepEqual(await refused(`${'['.repeat(100)}${']'.repeat(100)}`), [422, 'validation_failed'])
  assert.deepEqual(await refused({ name: 7 }), [422, 'validation_failed'])
  assert.deepEqual(await refused({ name: 'a\0b' }), [422, 'validation_failed'])
  assert.deepEqual(await refused({ name: '\ud800' }), [422, 'validation_failed'])
  assert.deepEqual(await refused({ name: '  ' }), [422, 'validation_failed'])
  assert.deepEqual(await refused({ name: 'x'.repeat(1_100_000) }), [413, 'too_large'])
  assert.deepEqual(await refused('name=x', { 'content-type': 'application/x-www-form-urlencoded' }), [
    415,
    'unsupported_media_type',
  ])
  assert.deepEqual(await refused('{}', { 'content-type': 'application/json; charset=latin1' }), [
    415,
    'unsupported_media_type',
  ])
  assert.deepEqual(await refused('{}', { 'content-encoding': 'gzip' }), [415, 'unsupported_media_type'])
  assert.equal((await manager.get('/api/teams/?limit=1')).body.limit, 1)
  assert.equal((await manager.get('/api/teams/?limit=0')).status, 422)
  assert.equal((await manager.get('/api/teams/?limit=201')).status, 422)
  assert.equal((await manager.get('/api/teams/?colour=red')).status, 422)
  assert.equal((await manager.get('/api/teams/?cursor=nonsense')).status, 422)
  assert.equal((await manager.get('/api/teams/?search=%00')).status, 422)
})

test('an empty body counts as {}, and a route without a body refuses anything more', async () => {
  const { manager, member } = await tenant()
  const { body: team } = await manager.post('/api/teams/', sales)
  const role = `/api/teams/${team.id}/members/${member.userId}`
  await manager.post(`/api/teams/${team.id}/members`, { user_id: member.userId })

  assert.equal((await manager.post('/api/teams/', '')).status, 422)
  assert.equal((await manager.patch(`${role}?role=lead`, '')).status, 200)
  assert.equal((await manager.patch(`${role}?role=member`, {})).status, 200)
  assert.equal((await manager.patch(`${role}?role=lead`, { role: 'lead' })).status, 422)
})

test('a path with and without its last slash is the same place', async () => {
  const { manager } = await tenant()
  const { body: team } = await manager.post('/api/teams', sales)

  assert.equal((await manager.get('/api/teams')).body.total, 1)
  assert.equal((await manager.get(`/api/teams/${team.id}/`)).body.id, team.id)
})

test('whoever may not is told so before anything about the request is', async () => {
  const { member, anonymous, bearer } = await tenant()

  const unknown = await anonymous.post('/api/teams/', '{"name":')
  const nonsense = await bearer('Basic YTpi').get('/api/teams/')
  const forbidden = await member.post('/api/teams/', '{"name":')

  assert.deepEqual([unknown.status, unknown.body.code], [401, 'authentication_required'])
  assert.match(unknown.headers['www-authenticate'], /^Bearer/)
  assert.equal(nonsense.status, 401)
  assert.deepEqual([forbidden.status, forbidden.body.required_scope], [403, 'teams.write'])
})

test('a change based on an old version is refused', async () => {
  const { manager } = await tenant()
  const { body: team, headers } = await manager.post('/api/teams/', sales)

  const first = await manager.patch(`/api/teams/${team.id}`, { name: 'Sellers' }, { 'if-match': headers.etag })
  const late = await manager.patch(`/api/teams/${team.id}`, { name: 'Hunters' }, { 'if-match': headers.etag })
  const nonsense = await manager.patch(`/api/teams/${team.id}`, { name: 'Hunters' }, { 'if-match': 'yesterday' })

  assert.deepEqual([headers.etag, first.headers.etag], ['"1"', '"2"'])
  assert.deepEqual([late.status, late.body.code, nonsense.status], [412, 'version_mismatch', 412])
  assert.equal((await manager.get(`/api/teams/${team.id}`)).body.name, 'Sellers')
})

test('a list says how much there is and where it goes on', async () => {
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

test('what is created says where it is', async () => {
  const { manager } = await tenant()

  const { status, headers, body } = await manager.post('/api/teams/', sales)

  assert.equal(status, 201)
  assert.equal(headers.location, `/api/teams/${body.id}`)
  assert.equal((await manager.get(headers.location)).body.id, body.id)
})

test('every answer carries a request id: the caller’s own, if it can be logged', async () => {
  const { anonymous } = await tenant()
  const idOf = async (id: string) =>
    (await anonymous.get('/api/teams/', { 'x-request-id': id })).headers['x-request-id']

  assert.equal(await idOf('order-4711'), 'order-4711')
  assert.match(await idOf('two\twords'), /^[0-9a-f-]{36}$/)
  assert.match(await idOf('x'.repeat(129)), /^[0-9a-f-]{36}$/)
})

test('answers are safe to show in a browser and not kept by anybody in between', async () => {
  const { member } = await tenant()

  const { headers } = await member.get('/api/teams/')

  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(headers['content-security-policy'], /default-src 'none'/)
  assert.equal(headers['x-powered-by'], undefined)
})

test('what is not there is not there, whoever asks', async () => {
  const { member, anonymous } = await tenant()

  assert.equal((await member.get('/api/nothing')).body.code, 'not_found')
  assert.equal((await anonymous.get('/api/nothing')).body.code, 'not_found')
  assert.equal((await member.get('/api/%74eams/')).status, 200)
  assert.equal((await client({ host: domain }).get('/api/teams/')).body.code, 'tenant_not_found')
})
