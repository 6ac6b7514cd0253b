import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, startTestApp, waitForBlockedSessions } from '#testing'

const app = await startTestApp()
type Tenant = Awaited<ReturnType<typeof app.tenant>>
const url = '/api/auth/reauthenticate'

const grow = ({ sql }: Tenant, userId: string) =>
  sql(`update identity.sessions set authenticated_at = now() - interval '1 hour' where user_id = $1`, [userId])
const sensitive = (acme: Tenant, person: Pick<Tenant['admin'], 'post'>) =>
  person.post(`/api/users/${acme.member.userId}/impersonate`, { reason: 'They called for help.' })

test('reauthentication allows actions that require a recent sign-in, in this session only', async () => {
  const acme = await app.tenant()
  const { admin } = acme
  const elsewhere = await acme.signIn(admin.userId)
  await grow(acme, admin.userId)
  const before = await sensitive(acme, admin)

  const proved = await admin.post(url, { password })
  const after = [await sensitive(acme, admin), await sensitive(acme, elsewhere)]

  assert.equal(before.body.code, 'reauthentication_required')
  assert.equal(proved.status, 200)
  assert.ok(Math.abs(Date.parse(proved.body.authenticated_at) - Date.now()) < 10_000)
  assert.deepEqual([after[0]!.status, after[1]!.body.code], [201, 'reauthentication_required'])
  assert.ok((await acme.audit()).includes('session.reauthenticated'))
})

test('wrong passwords are throttled together with the password change', async () => {
  const acme = await app.tenant()
  const { admin } = acme
  await grow(acme, admin.userId)
  const change = { current_password: 'wrong', new_password: 'another good long passphrase' }

  const first = await admin.post(url, { password: 'wrong' })
  for (let time = 0; time < 3; time++) await admin.post(url, { password: 'wrong' })
  const byChange = await admin.post('/api/auth/change-password', change)
  const tooMany = await admin.post(url, { password })

  assert.equal(first.status, 422)
  assert.partialDeepStrictEqual(first.body.errors, [{ in: 'body', path: '/password', code: 'mismatch' }])
  assert.equal(byChange.status, 422)
  assert.equal(tooMany.status, 429)
  assert.ok(Number(tooMany.headers['retry-after']) > 0)
  assert.equal((await sensitive(acme, admin)).body.code, 'reauthentication_required')
  const { rows } = await acme.sql(
    `select outcome, count(*)::integer as n from platform.audit_log where tenant_id = $1 and action = 'session.reauthenticated' group by 1`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ outcome: 'denied', n: 4 }])
})

test('a user without a password cannot reauthenticate with one', async () => {
  const acme = await app.tenant()
  await acme.sql('update identity.user_credentials set password_hash = null where user_id = $1', [acme.member.userId])

  const response = await acme.member.post(url, { password })

  assert.deepEqual([response.status, response.body.code], [409, 'conflict'])
})

test('a session that was revoked during the password check is not reauthenticated', async () => {
  const acme = await app.tenant()
  const { member } = acme

  const logout = await app.owner.connect()
  await logout.query('begin')
  await logout.query(`update identity.sessions set revoked_at = now(), revoke_reason = 'logout' where id = $1`, [
    member.sessionId,
  ])
  const response = member.post(url, { password })
  await waitForBlockedSessions(app.owner, 1, [response])
  await logout.query('commit')
  logout.release()
  const proved = await response

  assert.deepEqual([proved.status, proved.body.code], [401, 'token_revoked'])
})

test('the request accepts only a password', async () => {
  const acme = await app.tenant()

  for (const body of [{}, { password: '' }, { password: 1 }, { password, code: '1' }])
    assert.equal((await acme.member.post(url, body)).status, 422)
})
