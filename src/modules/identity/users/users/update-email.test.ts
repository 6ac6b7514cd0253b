import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant, startTestWorker, mails } = await startTestApp()
await startTestWorker()

test('a new email address revokes sessions and links, is unverified, and both addresses are notified', async () => {
  const acme = await tenant()
  const { userId, email, get } = await acme.person('member')
  await acme.sql(
    `insert into identity.one_time_tokens (tenant_id, id, kind, user_id, token_hash, expires_at)
     values ($1, gen_random_uuid(), 'password_reset', $2, '\\x00', now() + interval '1 hour')`,
    [acme.id, userId],
  )

  const { status, body } = await acme.admin.patch(`/api/users/${userId}`, { email: 'new@engines.example' })

  assert.deepEqual([status, body.email, body.email_verified_at], [200, 'new@engines.example', null])
  assert.equal((await get('/api/users/')).status, 401)
  const { rows } = await acme.sql('select used_at from identity.one_time_tokens where tenant_id = $1', [acme.id])
  assert.notEqual(rows[0].used_at, null)
  for (const address of [email, 'new@engines.example']) {
    const [mail] = await mails(address, 1)
    assert.match(mail!.text!, /new@engines\.example/)
  }
  assert.equal((await acme.admin.get('/api/users/?search=new@engines')).body.length, 1)
})

test('changing only the case of an email address has no other effects', async () => {
  const { admin, person } = await tenant()
  const ada = await person('member', { email: 'ada@engines.example' })

  const { body } = await admin.patch(`/api/users/${ada.userId}`, { email: 'Ada@Engines.example' })

  assert.equal(body.email, 'Ada@Engines.example')
  assert.notEqual(body.email_verified_at, null)
  assert.equal((await ada.get('/api/users/')).status, 200)
})

test('an email address that another user has is rejected, also in concurrent requests', async () => {
  const acme = await tenant()
  const [ada, grace] = [await acme.person('member'), await acme.person('member')]

  const taken = await acme.admin.patch(`/api/users/${ada.userId}`, { email: grace.email.toUpperCase() })
  const both = await Promise.all(
    [ada, grace].map(({ userId }) => acme.admin.patch(`/api/users/${userId}`, { email: 'one@engines.example' })),
  )

  assert.deepEqual([taken.status, taken.body.code, taken.body.existing_id], [409, 'already_exists', grace.userId])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
})

test('an invited user gets a new invitation at a new email address', async () => {
  const acme = await tenant()
  const { body: ada } = await acme.admin.post('/api/users/', { email: 'old@looms.example', name: 'Ada' })
  await mails('old@looms.example', 1)

  await acme.admin.patch(`/api/users/${ada.id}`, { email: 'new@looms.example' })

  assert.equal((await mails('new@looms.example', 1)).length, 1)
})
