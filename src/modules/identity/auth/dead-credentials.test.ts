import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startTestApp } from '#testing'
import { askTogether, rememberDead } from './dead-credentials.ts'

const app = await startTestApp()
type Tenant = Awaited<ReturnType<typeof app.tenant>>
const me = '/api/auth/me'

/** A session and a key that were revoked, and that this process knows for it. */
async function deadIn(acme: Tenant) {
  const session = await acme.signIn(acme.member.userId)
  const { id, key } = (await acme.member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })).body
  const machine = acme.bearer(`ApiKey ${key}`)
  await session.post('/api/auth/logout')
  await acme.sql(`update identity.api_keys set revoked_at = now(), revoke_reason = 'test' where id = $1`, [id])
  for (const client of [session, machine]) assert.equal((await client.get(me)).body.code, 'token_revoked')
  return { session, machine, key: key as string }
}

async function borrowed(work: () => Promise<unknown>): Promise<number> {
  let times = 0
  const count = () => times++
  app.services.db.pool.on('acquire', count)
  await work()
  app.services.db.pool.off('acquire', count)
  return times
}

test('a flood of dead credentials asks the database little', async () => {
  const acme = await app.tenant()
  const { session, machine } = await deadIn(acme)

  const codes = new Set<string>()
  const asked = await borrowed(() =>
    Promise.all(
      Array.from({ length: 300 }, async (_, n) => codes.add((await (n % 2 ? session : machine).get(me)).body.code)),
    ),
  )

  assert.deepEqual([...codes], ['token_revoked'])
  assert.ok(asked <= 10, `${asked} connections were borrowed for 300 requests`)
})

test('a workspace that is closed, gone or moved says so first, and to dead credentials too', async () => {
  const acme = await app.tenant()
  const { session, machine } = await deadIn(acme)
  const set = (status: string) =>
    acme.sql(
      `update identity.tenants set status = $2, delete_after = case when $2 = 'deleting' then now() end where id = $1`,
      [acme.id, status],
    )
  const answers = async () =>
    [await session.get(me), await machine.get(me)].map(({ status, body }) => `${status} ${body.code}`)

  await set('suspended')
  const suspended = await answers()
  await set('deleting')
  const deleting = await answers()
  await set('active')
  const restored = await answers()
  await acme.sql('update identity.tenants set slug = $2 where id = $1', [acme.id, `${acme.slug}-moved`])
  const moved = await answers()

  assert.deepEqual(suspended, ['403 tenant_suspended', '403 tenant_suspended'])
  assert.deepEqual(deleting, ['404 tenant_not_found', '404 tenant_not_found'])
  assert.deepEqual(restored, ['401 token_revoked', '401 token_revoked'])
  assert.deepEqual(moved, ['404 tenant_not_found', '404 tenant_not_found'])
})

test('in another workspace a dead credential is still a foreign one', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const { session, key } = await deadIn(acme)
  const send = (authorization: string) => app.client({ host: beta.host, headers: { authorization } }).get(me)

  const answers = [await send(`Bearer ${session.accessToken}`), await send(`ApiKey ${key}`)]

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [401, 'tenant_mismatch'],
      [401, 'invalid_token'],
    ],
  )
})

test('whoever is shut out for the time being is let in again afterwards', async () => {
  const acme = await app.tenant()
  const { member } = acme
  const { key } = (await member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })).body
  const clients = [member, acme.bearer(`ApiKey ${key}`)]
  const statuses = async () => [(await clients[0]!.get(me)).status, (await clients[1]!.get(me)).status]
  const set = (column: string, value: unknown) =>
    acme.sql(`update identity.users set ${column} = $2 where id = $1`, [member.userId, value])

  await set('status', 'deactivated')
  const away = await statuses()
  await set('status', 'active')
  const back = await statuses()

  assert.deepEqual(
    [away, back],
    [
      [403, 403],
      [200, 200],
    ],
  )
})

test('what was asked for least lately is forgotten first', () => {
  const dead = rememberDead(2)
  dead.add('one', 'acme')
  dead.add('two', 'acme')
  dead.tenantOf('one')
  dead.add('three', 'beta')

  assert.deepEqual(['one', 'two', 'three'].map(dead.tenantOf), ['acme', undefined, 'beta'])
})

test('nobody gets an answer to a question that was asked before they came', async () => {
  const answering: (() => void)[] = []
  let value = 0
  const ask = askTogether(async () => {
    const seen = value
    await new Promise<void>((resolve) => answering.push(resolve))
    return seen
  })

  const first = ask('acme')
  value = 1
  const [second, third] = [ask('acme'), ask('acme')]
  answering.shift()!()
  assert.equal(await first, 0)
  await turn()
  answering.shift()!()
  assert.deepEqual(await Promise.all([second, third]), [1, 1])
  await turn()
  value = 2
  const fourth = ask('acme')
  answering.shift()!()
  assert.equal(await fourth, 2)
  assert.equal(answering.length, 0)
})

test('a question that fails fails for those who asked it, and is asked anew for the next', async () => {
  let isAway = true
  const ask = askTogether(async () => {
    await turn()
    if (isAway) throw new Error('away')
    return 'here'
  })

  const [first, second] = [ask('acme'), ask('acme')]
  await assert.rejects(first)
  isAway = false

  assert.equal(await second, 'here')
})
