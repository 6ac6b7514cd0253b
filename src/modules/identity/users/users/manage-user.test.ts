import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, startTestApp } from '#testing'

const { tenant, startTestWorker, mails } = await startTestApp()
await startTestWorker()

type Acme = Awaited<ReturnType<typeof tenant>>
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => `${status} ${body?.code ?? ''}`.trim()
const reauthenticationRequired = '403 reauthentication_required'

let count = 0
const newUser = (fields: object = {}) => ({ email: `new-${++count}@engines.example`, name: 'New', ...fields })

async function createKey(acme: Acme, scopes: string[]) {
  const { body } = await acme.admin.post('/api/api-keys', { name: 'Provisioning', scopes })
  return acme.bearer(`ApiKey ${body.key}`)
}

/** An admin whose access token was issued long ago, as after a theft. */
async function createAdminWithOldLogin(acme: Acme) {
  const admin = await acme.person('admin')
  await acme.sql(`update identity.sessions set authenticated_at = now() - interval '16 minutes' where user_id = $1`, [
    admin.userId,
  ])
  return admin
}

test('giving access to an account requires a fresh login', async () => {
  const acme = await tenant()
  const admin = await createAdminWithOldLogin(acme)
  const former = await acme.person('member')
  await acme.admin.patch(`/api/users/${former.userId}`, { status: 'deactivated' })
  const sensitiveRequests = () => [
    () => admin.post('/api/users/', newUser({ role: 'admin' })),
    () => admin.post('/api/users/', newUser({ role: 'manager' })),
    () => admin.post('/api/users/', newUser({ send_invite: false })),
    () => admin.patch(`/api/users/${acme.member.userId}`, { email: `moved-${++count}@engines.example` }),
    () => admin.patch(`/api/users/${acme.viewer.userId}`, { role: 'admin' }),
    () => admin.patch(`/api/users/${former.userId}`, { status: 'active' }),
    () => admin.post(`/api/users/${acme.manager.userId}/reset-password`),
  ]

  const withOldLogin = []
  for (const send of sensitiveRequests()) withOldLogin.push(codeOf(await send()))
  const reauthenticated = await admin.post('/api/auth/reauthenticate', { password })
  const withFreshLogin = []
  for (const send of sensitiveRequests()) withFreshLogin.push(codeOf(await send()))

  assert.deepEqual(withOldLogin, Array(7).fill(reauthenticationRequired))
  assert.equal(reauthenticated.status, 200)
  assert.deepEqual(withFreshLogin, ['201', '201', '201', '200', '200', '200', '200'])
})

test('an old login is enough to invite members, change details and take access away', async () => {
  const acme = await tenant()
  const admin = await createAdminWithOldLogin(acme)
  const { email, role } = acme.member

  const responses = [
    await admin.post('/api/users/', newUser()),
    await admin.post('/api/users/', newUser({ role: 'viewer' })),
    await admin.patch(`/api/users/${acme.member.userId}`, { title: 'Countess', email, role, status: 'active' }),
    await admin.delete(`/api/users/${acme.member.userId}/sessions`),
    await admin.patch(`/api/users/${acme.member.userId}`, { status: 'deactivated' }),
  ]

  assert.deepEqual(responses.map(codeOf), ['201', '201', '200', '200', '200'])
})

test('an API key with users.write cannot take over or create an account with more rights', async () => {
  const acme = await tenant()
  const key = await createKey(acme, ['users.read', 'users.write'])
  const { manager, viewer } = acme

  const responses = [
    await key.patch(`/api/users/${manager.userId}`, { email: 'attacker@elsewhere.example' }),
    await key.patch(`/api/users/${viewer.userId}`, { role: 'manager' }),
    await key.patch(`/api/users/${manager.userId}`, { status: 'deactivated' }),
    await key.post('/api/users/', newUser({ role: 'manager' })),
    await key.post('/api/users/', newUser({ send_invite: false })),
  ]

  assert.deepEqual(responses.map(codeOf), Array(5).fill('403 session_required'))
  const { body } = await acme.admin.get(`/api/users/${manager.userId}`)
  assert.deepEqual([body.email, body.status], [manager.email, 'active'])
})

test('an API key can invite members, change details, and the status of users whose scopes it has', async () => {
  const acme = await tenant()
  const usersKey = await createKey(acme, ['users.read', 'users.write'])
  const fullKey = await createKey(acme, ['crm.read', 'crm.write', 'crm.delete'])
  const changeStatus = (status: string) => fullKey.patch(`/api/users/${acme.manager.userId}`, { status })

  const responses = [
    await usersKey.post('/api/users/', newUser()),
    await usersKey.patch(`/api/users/${acme.manager.userId}`, { title: 'Chief', email: acme.manager.email }),
    await fullKey.post('/api/users/', newUser({ role: 'manager' })),
    await changeStatus('deactivated'),
    await changeStatus('active'),
  ]

  assert.deepEqual(responses.map(codeOf), ['201', '200', '201', '200', '200'])
})

test('an impersonating admin cannot give access to an account', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { security: { impersonation_admin_targets: true } })
  const other = await acme.person('admin')
  const { body } = await acme.admin.post(`/api/users/${other.userId}/impersonate`, { reason: 'Support case' })
  const impersonator = acme.bearer(`Bearer ${body.access_token}`)

  const responses = [
    await impersonator.post('/api/users/', newUser({ role: 'admin' })),
    await impersonator.post('/api/users/', newUser({ send_invite: false })),
    await impersonator.patch(`/api/users/${acme.member.userId}`, { role: 'admin' }),
    await impersonator.patch(`/api/users/${acme.member.userId}`, { email: 'attacker@elsewhere.example' }),
  ]

  assert.deepEqual(responses.map(codeOf), Array(4).fill('403 impersonation_not_allowed'))
})

test('all other admins get an email about a new admin, and the user about a new API key', async () => {
  const acme = await tenant()
  const other = await acme.person('admin')
  const key = await acme.member.post('/api/api-keys', { name: 'Nightly export', scopes: ['leads.read'] })
  const promoted = await acme.admin.patch(`/api/users/${acme.viewer.userId}`, { role: 'admin' })

  const [keyMail] = await mails(acme.member.email, 1)
  const adminMails = [...(await mails(acme.admin.email, 1)), ...(await mails(other.email, 1))]

  assert.deepEqual([key.status, promoted.status], [201, 200])
  assert.match(keyMail!.subject!, /^A new API key was created/)
  assert.match(keyMail!.text!, /“Nightly export”/)
  assert.ok(!keyMail!.text!.includes(key.body.key))
  for (const { subject, text } of adminMails) {
    assert.match(subject!, /^A new admin was added/)
    assert.ok(text!.includes(`${acme.admin.name} made ${acme.viewer.name} (${acme.viewer.email}) an admin`), text)
  }
})

test('an invited and a reactivated admin are announced to the other admins, a new member is not', async () => {
  const acme = await tenant()
  const former = await acme.person('admin')
  await acme.admin.patch(`/api/users/${former.userId}`, { status: 'deactivated' })
  await acme.admin.post('/api/users/', newUser({ name: 'Just a member' }))
  await acme.admin.post('/api/users/', newUser({ name: 'Invited admin', role: 'admin' }))
  await acme.admin.patch(`/api/users/${former.userId}`, { status: 'active' })

  const texts = (await mails(acme.admin.email, 2)).map(({ text }) => text!)

  assert.ok(texts.some((text) => text.includes('Invited admin')))
  assert.ok(texts.some((text) => text.includes(former.name)))
})
