import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { password, startTestApp } from '#testing'
import { impersonate } from '../impersonation/impersonation.fixture.ts'

const app = await startTestApp()
const me = '/api/auth/me'
const sessions = '/api/auth/sessions'

test('users list their sessions and see which one is current', async () => {
  const acme = await app.tenant()
  const { member } = acme
  const [phone, ended, idle, over] = [
    await acme.signIn(member.userId),
    await acme.signIn(member.userId),
    await acme.signIn(member.userId),
    await acme.signIn(member.userId),
  ]
  await ended.post('/api/auth/logout')
  await acme.sql('update identity.sessions set idle_expires_at = now() where id = $1', [idle.sessionId])
  await acme.sql('update identity.sessions set expires_at = now() where id = $1', [over.sessionId])
  await acme.sql(`update identity.sessions set last_seen_at = now() + interval '1 minute' where id = $1`, [
    phone.sessionId,
  ])

  const { status, body } = await member.get(sessions)

  assert.equal(status, 200)
  assert.equal(body.total, 2)
  assert.deepEqual(
    body.items.map(({ id, current }: { id: string; current: boolean }) => [id, current]),
    [
      [phone.sessionId, false],
      [member.sessionId, true],
    ],
  )
  assert.deepEqual(Object.keys(body.items[0]).sort(), [
    'auth_method',
    'created_at',
    'current',
    'expires_at',
    'id',
    'ip',
    'last_seen_at',
    'user_agent',
  ])
})

test('revoking an own session takes effect immediately and works once', async () => {
  const acme = await app.tenant()
  const phone = await acme.signIn(acme.member.userId)
  const url = `${sessions}/${phone.sessionId}`

  const responses = [await acme.member.delete(url), await acme.member.delete(url)]

  assert.deepEqual(
    responses.map(({ status }) => status),
    [204, 404],
  )
  assert.equal((await phone.get(me)).body.code, 'token_revoked')
  assert.equal((await acme.member.get(me)).status, 200)
  assert.deepEqual(await acme.events(), ['session.revoked'])
})

test('the current session can be revoked', async () => {
  const acme = await app.tenant()

  const response = await acme.member.delete(`${sessions}/${acme.member.sessionId}`)

  assert.equal(response.status, 204)
  assert.equal((await acme.member.get(me)).body.code, 'token_revoked')
})

test('sessions of other users and workspaces cannot be revoked, not even by an admin', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const targets = [acme.viewer.sessionId, beta.member.sessionId, newId()]

  for (const person of [acme.member, acme.admin])
    for (const id of targets) assert.equal((await person.delete(`${sessions}/${id}`)).status, 404)

  assert.equal((await acme.member.delete(`${sessions}/abc`)).status, 422)
  assert.equal((await acme.viewer.get(me)).status, 200)
  assert.equal((await beta.member.get(me)).status, 200)
})

test('revoking the other sessions keeps the current one', async () => {
  const acme = await app.tenant()
  const { admin } = acme
  const [phone, tablet] = [await acme.signIn(admin.userId), await acme.signIn(admin.userId)]
  const [here, there] = [await impersonate(acme, acme.member), await impersonate(acme, acme.viewer, { admin: phone })]

  const first = await admin.post(`${sessions}/revoke-others`)
  const second = await admin.post(`${sessions}/revoke-others`)

  assert.deepEqual([first.status, first.body], [200, { sessions_revoked: 2 }])
  assert.deepEqual(second.body, { sessions_revoked: 0 })
  for (const gone of [phone, tablet, there]) assert.equal((await gone.get(me)).body.code, 'token_revoked')
  for (const kept of [admin, here, acme.member]) assert.equal((await kept.get(me)).status, 200)
})

test('API keys and anonymous callers cannot list sessions', async () => {
  const acme = await app.tenant()
  const { key } = (await acme.member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read', 'crm.write'] })).body
  const machine = acme.bearer(`ApiKey ${key}`)
  const calls = (client: typeof machine) => [
    client.get(sessions),
    client.delete(`${sessions}/${acme.member.sessionId}`),
    client.post(`${sessions}/revoke-others`),
    client.post('/api/auth/reauthenticate', { password }),
  ]

  for (const { status, body } of await Promise.all(calls(machine)))
    assert.deepEqual([status, body.code], [403, 'session_required'])
  for (const { status } of await Promise.all(calls(acme.anonymous))) assert.equal(status, 401)
})
