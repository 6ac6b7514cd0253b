import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startRedis, startTestApp } from '#testing'

const redis = await startRedis()
after(() => redis.stop())
const app = await startTestApp({ REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '100' })

test('identity-6-13 a key revoked while Redis is down is rejected immediately', async () => {
  const acme = await app.tenant()
  const { id, key } = (await acme.member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })).body
  const machine = acme.bearer(`ApiKey ${key}`)

  const before = await machine.get('/api/auth/me')
  await redis.stop()
  const without = await machine.get('/api/auth/me')
  const revoked = await acme.member.delete(`/api/api-keys/${id}`)
  const rejected = await machine.get('/api/auth/me')

  assert.deepEqual([before.status, without.status, revoked.status], [200, 200, 204])
  assert.deepEqual([rejected.status, rejected.body.code], [401, 'token_revoked'])
})
