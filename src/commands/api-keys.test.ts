import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createOperator } from './operator.stand-in.ts'

const { config, tenant, owner } = await startTestApp({ RATE_LIMIT_FACTOR: '1' })
const operator = createOperator(config)

type Tenant = Awaited<ReturnType<typeof tenant>>
async function createApiKey({ member, bearer }: Tenant) {
  const { id, key } = (await member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })).body
  return { id: id as string, ...bearer(`ApiKey ${key}`) }
}
const setLimit = ({ slug }: Tenant, id: string, perMinute: string) =>
  operator.run('api-keys', 'limit', id, '--tenant', slug, '--per-minute', perMinute, '--json')

test('the operator raises the rate limit of an API key, effective from its next request', async () => {
  const acme = await tenant()
  const [busy, other] = [await createApiKey(acme), await createApiKey(acme)]
  const policyOf = async (apiKey: typeof busy) => (await apiKey.get('/api/auth/me')).headers['ratelimit-policy']

  const before = await policyOf(busy)
  const raised = await setLimit(acme, busy.id, '6000')
  const [after, unchanged] = [await policyOf(busy), await policyOf(other)]
  await setLimit(acme, busy.id, 'none')

  assert.equal(raised.exitCode, 0, raised.err)
  assert.deepEqual(raised.body, { api_key: { id: busy.id, name: 'Machine', requests_per_minute: 6_000 } })
  assert.match(after, /^"api_key";q=1500;w=15, /)
  for (const policy of [before, unchanged, await policyOf(busy)]) assert.match(policy, /^"api_key";q=300;w=15, /)
  assert.deepEqual((await acme.audit()).slice(-2), ['api_key.limited', 'api_key.limited'])
})

test('an API key with a low limit is rate limited', async () => {
  const acme = await tenant()
  const apiKey = await createApiKey(acme)
  await setLimit(acme, apiKey.id, '4')

  const [first, second] = [await apiKey.get('/api/auth/me'), await apiKey.get('/api/auth/me')]

  assert.deepEqual([first.status, second.status, second.body.code], [200, 429, 'rate_limited'])
  assert.equal((await acme.member.get('/api/auth/me')).status, 200)
})

test('the operator revokes an API key permanently', async () => {
  const acme = await tenant()
  const apiKey = await createApiKey(acme)
  const revoke = () => operator.run('api-keys', 'revoke', apiKey.id, '--tenant', acme.slug)

  const [first, again] = [await revoke(), await revoke()]

  assert.deepEqual([first.out, again.out], ['Revoked API key Machine.\n', 'API key Machine was already revoked.\n'])
  assert.equal((await apiKey.get('/api/auth/me')).body.code, 'token_revoked')
  assert.equal((await acme.member.get(`/api/api-keys/${apiKey.id}`)).body.revoke_reason, 'operator')
  assert.equal((await acme.events()).filter((type) => type === 'api_key.revoked').length, 1)
})

test('invalid limits and unknown keys are rejected and audited', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const { id } = await createApiKey(acme)

  const bounds = []
  for (const value of ['0', '6001', 'many', '-1', '1.5']) bounds.push((await setLimit(acme, id, value)).exitCode)
  const elsewhere = await setLimit(beta, id, '100')
  const unknown = await setLimit(acme, newId(), '100')

  assert.deepEqual(bounds, [2, 2, 2, 2, 2])
  assert.equal((await setLimit(acme, 'mine', '100')).exitCode, 2)
  assert.deepEqual([elsewhere.exitCode, unknown.exitCode], [3, 3])
  const { rows } = await owner.query(
    'select command, args, outcome from identity.operator_audit order by id desc limit 2',
  )
  assert.partialDeepStrictEqual(rows[1], {
    command: 'api-keys limit',
    outcome: 'not_found',
    args: { slug: beta.slug, key_id: id, per_minute: 100 },
  })
})
