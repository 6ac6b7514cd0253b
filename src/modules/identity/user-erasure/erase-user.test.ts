import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, startTestApp } from '#testing'

const { tenant } = await startTestApp()

test('erasing a deactivated user removes all personal data', async () => {
  const acme = await tenant()
  const user = await acme.person('member', { name: 'Unmistakable Ada', email: 'unmistakable@engines.example' })
  await acme.anonymous.post('/api/auth/login', { email: user.email, password }, { 'user-agent': 'Unmistakable/1' })
  const url = `/api/users/${user.userId}`
  await acme.admin.patch(url, { phone: '+44 unmistakable' })

  const tooEarly = await acme.admin.delete(url)
  await acme.admin.patch(url, { status: 'deactivated' })
  const erased = await acme.admin.delete(url)
  const again = await acme.admin.delete(url)

  assert.deepEqual([tooEarly.status, tooEarly.body.code], [409, 'conflict'])
  assert.deepEqual([erased.status, erased.text], [204, ''])
  assert.equal(again.status, 409)
  const { body } = await acme.admin.get(url)
  assert.partialDeepStrictEqual(body, { status: 'erased', name: 'Former user', phone: null, auth_methods: [] })
  assert.equal((await acme.admin.patch(url, { name: 'Back' })).status, 409)
  const listed = (await acme.admin.get('/api/users/')).body.map(({ id }: { id: string }) => id)
  assert.ok(!listed.includes(user.userId))
  assert.equal((await acme.admin.get('/api/users/?status=erased')).body.length, 1)
  assert.equal((await acme.admin.get('/api/users/?search=unmistakable')).body.length, 0)
  for (const table of ['users', 'sessions', 'login_events', 'user_identities', 'one_time_tokens', 'user_credentials']) {
    const { rows } = await acme.sql(`select t::text as row from identity.${table} t where tenant_id = $1`, [acme.id])
    assert.doesNotMatch(JSON.stringify(rows), /unmistakable/i, table)
  }
  assert.equal((await acme.admin.post('/api/users/', { email: user.email, name: 'Ada again' })).status, 201)
})

test('erasing a user requires a recent sign-in', async () => {
  const acme = await tenant()
  const user = await acme.person('member')
  await acme.admin.patch(`/api/users/${user.userId}`, { status: 'deactivated' })
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes' where id = $1`,
    [acme.admin.sessionId],
  )

  const { status, body } = await acme.admin.delete(`/api/users/${user.userId}`)

  assert.deepEqual([status, body.code], [403, 'reauthentication_required'])
})
