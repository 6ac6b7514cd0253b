import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startRedis, startTestApp } from '#testing'

let redis = await startRedis()
after(() => redis.stop())
const app = await startTestApp({ REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '1' })

test('identity-2-5 whoever signs out is out at once, with Redis, without it, and when it comes back', async () => {
  const acme = await app.tenant()
  const [before, during, across] = [acme.member, acme.manager, acme.viewer]
  assert.equal((await before.get('/api/auth/me')).status, 200)
  assert.equal((await before.post('/api/auth/logout')).status, 200)
  assert.equal((await before.get('/api/auth/me')).body.code, 'token_revoked')

  assert.equal((await during.get('/api/auth/me')).status, 200)
  assert.equal((await across.get('/api/auth/me')).status, 200)
  await redis.stop()
  const loggedOut = [await during.post('/api/auth/logout'), await across.post('/api/auth/logout')]
  const whileAway = [await during.get('/api/auth/me'), await across.get('/api/auth/me')]
  redis = await startRedis({ port: redis.port })
  const whenBack = [await during.get('/api/auth/me'), await across.get('/api/auth/me')]

  assert.deepEqual(
    loggedOut.map(({ status }) => status),
    [200, 200],
  )
  for (const answer of [...whileAway, ...whenBack]) {
    assert.equal(answer.status, 401)
    assert.equal(answer.body.code, 'token_revoked')
  }
})

test('signing out ends the refresh token too, and the session of another one that is shown', async () => {
  const acme = await app.tenant()
  const other = await acme.signIn(acme.member.userId)

  const answer = await acme.member.post('/api/auth/logout', { refresh_token: other.refreshToken })

  assert.deepEqual(answer.body, { status: 'logged_out', sessions_ended: 2 })
  for (const token of [acme.member.refreshToken, other.refreshToken])
    assert.equal((await acme.anonymous.post('/api/auth/refresh', { refresh_token: token })).body.code, 'token_revoked')
})

test('nobody signs others out with a token they found, and nobody learns whether it was one', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const found = [acme.viewer.refreshToken, beta.member.refreshToken, 'nonsense', acme.viewer.accessToken]

  const answers = []
  for (const refresh_token of found)
    answers.push(await (await acme.signIn(acme.member.userId)).post('/api/auth/logout', { refresh_token }))

  for (const { body } of answers) assert.deepEqual(body, { status: 'logged_out', sessions_ended: 1 })
  assert.equal((await acme.viewer.get('/api/auth/me')).status, 200)
  assert.equal((await beta.member.get('/api/auth/me')).status, 200)
})

test('signing out twice is refused the second time, and said once', async () => {
  const acme = await app.tenant()

  const answers = [await acme.member.post('/api/auth/logout', {}), await acme.member.post('/api/auth/logout', {})]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 401],
  )
  assert.deepEqual(await acme.events(), ['session.revoked'])
  assert.deepEqual(await acme.audit(), ['session.revoked'])
})
