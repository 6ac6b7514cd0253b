import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { operatorOf } from './operator.stand-in.ts'

const { config, tenant, owner } = await startTestApp({ RATE_LIMIT_FACTOR: '1' })
const operator = operatorOf(config)

type Tenant = Awaited<ReturnType<typeof tenant>>
async function machineOf({ member, bearer }: Tenant) {
  const { id, key } = (await member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })).body
  return { id: id as string, ...bearer(`ApiKey ${key}`) }
}
const limit = ({ slug }: Tenant, id: string, perMinute: string) =>
  operator.says('api-keys', 'limit', id, '--tenant', slug, '--per-minute', perMinute, '--json')

test('the operator lets a key do more than others, from its next request on', async () => {
  const acme = await tenant()
  const [busy, usual] = [await machineOf(acme), await machineOf(acme)]
  const policyOf = async (machine: typeof busy) => (await machine.get('/api/auth/me')).headers['ratelimit-policy']

  const before = await policyOf(busy)
  const raised = await limit(acme, busy.id, '6000')
  const [after, other] = [await policyOf(busy), await policyOf(usual)]
  await limit(acme, busy.id, 'none')

  assert.equal(raised.exitCode, 0, raised.err)
  assert.deepEqual(raised.body, { api_key: { id: busy.id, name: 'Machine', requests_per_minute: 6_000 } })
  assert.match(after, /^"session";q=6000;w=60, /)
  for (const policy of [before, other, await policyOf(busy)]) assert.match(policy, /^"session";q=1200;w=60, /)
  assert.deepEqual((await acme.audit()).slice(-2), ['api_key.limited', 'api_key.limited'])
})

test('a key that may do little is stopped early', async () => {
  const acme = await tenant()
  const machine = await machineOf(acme)
  await limit(acme, machine.id, '4')

  const [first, second] = [await machine.get('/api/auth/me'), await machine.get('/api/auth/me')]

  assert.deepEqual([first.status, second.status, second.body.code], [200, 429, 'rate_limited'])
  assert.equal((await acme.member.get('/api/auth/me')).status, 200)
})

test('the operator revokes a key for good', async () => {
  const acme = await tenant()
  const machine = await machineOf(acme)
  const revoke = () => operator.says('api-keys', 'revoke', machine.id, '--tenant', acme.slug)

  const [first, again] = [await revoke(), await revoke()]

  assert.deepEqual(
    [first.out, again.out],
    ['The key Machine is revoked.\n', 'The key Machine had been revoked before.\n'],
  )
  assert.equal((await machine.get('/api/auth/me')).body.code, 'token_revoked')
  assert.equal((await acme.member.get(`/api/api-keys/${machine.id}`)).body.revoke_reason, 'operator')
  assert.equal((await acme.events()).filter((type) => type === 'api_key.revoked').length, 1)
})

test('what is out of bounds or not there is refused, and leaves its entry', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const { id } = await machineOf(acme)

  const bounds = []
  for (const given of ['0', '6001', 'many', '-1', '1.5']) bounds.push((await limit(acme, id, given)).exitCode)
  const elsewhere = await limit(beta, id, '100')
  const unknown = await limit(acme, newId(), '100')

  assert.deepEqual(bounds, [2, 2, 2, 2, 2])
  assert.equal((await limit(acme, 'mine', '100')).exitCode, 2)
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
