import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startRedis, startTestApp } from '#testing'

let redis = await startRedis()
after(() => redis.stop())
const app = await startTestApp({ REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '1' })

test('identity-2-5 signing out takes effect immediately with Redis, without it and after it recovers', async () => {
  const acme = await app.tenant()
  const [before, during, across] = [acme.member, acme.manager, acme.viewer]
  assert.equal((await before.get('/api/auth/me')).status, 200)
  assert.equal((await before.post('/api/auth/logout')).status, 200)
  assert.equal((await before.get('/api/auth/me')).body.code, 'token_revoked')

  assert.equal((await during.get('/api/auth/me')).status, 200)
  assert.equal((await across.get('/api/auth/me')).status, 200)
  await redis.stop()
  const loggedOut = [await during.post('/api/auth/logout'), await across.post('/api/auth/logout')]
  const duringOutage = [await during.get('/api/auth/me'), await across.get('/api/auth/me')]
  redis = await startRedis({ port: redis.port })
  const afterOutage = [await during.get('/api/auth/me'), await across.get('/api/auth/me')]

  assert.deepEqual(
    loggedOut.map(({ status }) => status),
    [200, 200],
  )
  for (const response of [...duringOutage, ...afterOutage]) {
    assert.equal(response.status, 401)
    assert.equal(response.body.code, 'token_revoked')
  }
})

test('signing out revokes the session and that of the given refresh token', async () => {
  const acme = await app.tenant()
  const other = await acme.signIn(acme.member.userId)

  const response = await acme.member.post('/api/auth/logout', { refresh_token: other.refreshToken })

  assert.deepEqual(response.body, { status: 'logged_out', sessions_ended: 2 })
  for (const token of [acme.member.refreshToken, other.refreshToken])
    assert.equal((await acme.anonymous.post('/api/auth/refresh', { refresh_token: token })).body.code, 'token_revoked')
})

test('a foreign refresh token does not sign out its user and is not revealed as valid', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const foreignTokens = [acme.viewer.refreshToken, beta.member.refreshToken, 'nonsense', acme.viewer.accessToken]

  const responses = []
  for (const refresh_token of foreignTokens)
    responses.push(await (await acme.signIn(acme.member.userId)).post('/api/auth/logout', { refresh_token }))

  for (const { body } of responses) assert.deepEqual(body, { status: 'logged_out', sessions_ended: 1 })
  assert.equal((await acme.viewer.get('/api/auth/me')).status, 200)
  assert.equal((await beta.member.get('/api/auth/me')).status, 200)
})

test('the second sign-out is rejected and the revocation is announced once', async () => {
  const acme = await app.tenant()

  const responses = [await acme.member.post('/api/auth/logout', {}), await acme.member.post('/api/auth/logout', {})]

  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 401],
  )
  assert.deepEqual(
    responses.map(({ headers }) => headers['clear-site-data']),
    ['"cache"', undefined],
  )
  assert.deepEqual(await acme.events(), ['session.revoked'])
  assert.deepEqual(await acme.audit(), ['session.revoked'])
})
