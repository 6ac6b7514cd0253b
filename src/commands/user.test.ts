import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKeys } from '#platform/secrets'
import { startTestApp } from '#testing'
import { createOperator } from './operator.stand-in.ts'

const { config, tenant, owner, db } = await startTestApp()
const operator = createOperator(config)
const password = 'a long enough phrase of words'
const tokenOf = (link: string) => new URL(link).hash.replace('#token=', '')

test('an admin is invited with a single-use link, and a new invitation replaces the old one', async () => {
  const acme = await tenant()
  const invite = () =>
    operator.run('user', 'invite-admin', '--tenant', acme.slug, '--email', 'New@acme.example', '--json')
  const first = await invite()
  const second = await invite()

  const superseded = await acme.anonymous.post('/api/auth/reset-password', {
    token: tokenOf(first.body.invitation.link),
    new_password: password,
  })
  const taken = await acme.anonymous.post('/api/auth/reset-password', {
    token: tokenOf(second.body.invitation.link),
    new_password: password,
  })
  const login = await acme.anonymous.post('/api/auth/login', { email: 'new@acme.example', password })

  assert.equal(first.body.admin.id, second.body.admin.id)
  assert.deepEqual([superseded.status, taken.status], [410, 200])
  assert.equal(login.body.user.role, 'admin')
  assert.equal((await invite()).exitCode, 4, 'an active admin cannot be invited again')
})

test('using a password reset link revokes the sessions of the user', async () => {
  const acme = await tenant()
  const { email } = acme.member

  const reset = await operator.run(
    'user',
    'reset-password',
    '--tenant',
    acme.slug,
    '--email',
    email.toUpperCase(),
    '--json',
  )
  const beforeReset = await acme.member.get('/api/auth/me')
  const chosen = await acme.anonymous.post('/api/auth/reset-password', {
    token: tokenOf(reset.body.reset.link),
    new_password: password,
  })

  assert.equal(beforeReset.status, 200)
  assert.equal(chosen.status, 200)
  assert.equal((await acme.member.get('/api/auth/me')).body.code, 'token_revoked')
  assert.equal((await acme.anonymous.post('/api/auth/login', { email, password })).status, 200)
})

test('unknown and deactivated users do not get a reset link', async () => {
  const acme = await tenant()
  const reset = async (email: string) =>
    (await operator.run('user', 'reset-password', '--tenant', acme.slug, '--email', email)).exitCode
  await acme.sql(`update identity.users set status = 'deactivated' where tenant_id = $1 and id = $2`, [
    acme.id,
    acme.viewer.userId,
  ])

  assert.deepEqual([await reset('unknown@acme.example'), await reset(acme.viewer.email)], [3, 4])
})

test('the operator revokes the sessions of one user or of a whole workspace', async () => {
  const [acme, beta] = [await tenant(), await tenant()]

  const one = await operator.run('sessions', 'revoke', '--tenant', acme.slug, '--user', acme.member.email, '--json')
  const statusOfAdmin = (await acme.admin.get('/api/auth/me')).status
  const all = await operator.run('sessions', 'revoke', '--tenant', acme.slug, '--json')

  assert.deepEqual([one.body, statusOfAdmin, all.body], [{ sessions_ended: 1 }, 200, { sessions_ended: 3 }])
  assert.equal((await acme.admin.get('/api/auth/me')).body.code, 'token_revoked')
  assert.equal((await beta.admin.get('/api/auth/me')).status, 200)
})

test('new keys are printed in the format of the settings, without configuration or database', async () => {
  const { exitCode, out } = await operator.spawn('keys', 'new')
  const again = await operator.run('keys', 'new', '--json')

  const [, signing, secrets, audit] =
    /^SIGNING_KEYS=(\S+)\nSECRETS_KEYS=(\S+)\nAUDIT_SEAL_KEYS=(\S+)\n$/.exec(out) ?? []
  assert.equal(exitCode, 0)
  assert.equal(parseKeys('SIGNING_KEYS', signing ?? '').length, 1)
  assert.equal(parseKeys('SECRETS_KEYS', `${secrets},${again.body.secrets_key}`).length, 2)
  assert.equal(parseKeys('AUDIT_SEAL_KEYS', `${audit},${again.body.audit_seal_key}`).length, 2)
})

test('every command is audited, including rejected ones, without links and email addresses', async () => {
  const acme = await tenant()
  await operator.run('user', 'reset-password', '--tenant', acme.slug, '--email', acme.member.email)
  await operator.run('tenant', 'delete', acme.slug)
  await operator.run('tenant', 'list')

  const { rows } = await owner.query(
    'select operator, command, args, target_tenant, outcome from identity.operator_audit order by id desc limit 3',
  )

  assert.deepEqual(
    rows.map(({ command, outcome, target_tenant }) => [command, outcome, target_tenant]),
    [
      ['tenant list', 'ok', null],
      ['tenant delete', 'confirmation_missing', null],
      ['user reset-password', 'ok', acme.id],
    ],
  )
  assert.deepEqual(rows[2].args, { slug: acme.slug, user_id: acme.member.userId })
  assert.ok(rows.every(({ operator: name }) => name.length > 0))
  assert.ok(!/token|@/.test(JSON.stringify(rows)))
})

test('the application role cannot access operator tables', async () => {
  for (const statement of [
    'select from identity.operator_audit',
    'delete from identity.tenants',
    `update identity.tenants set slug = 'x'`,
  ])
    await assert.rejects(db.pool.query(statement), /permission denied/)
})

test('an unreachable database is reported without its address', async () => {
  const misconfigured = createOperator({
    ...config,
    DATABASE_SYSTEM_URL: 'postgres://app_system:hush@127.0.0.1:1/none',
  })

  const { exitCode, err } = await misconfigured.run('tenant', 'list')

  assert.equal(exitCode, 1)
  assert.equal(
    err,
    'DATABASE_SYSTEM_URL: the database cannot be reached. Check that it is running and that its URL is correct.\n',
  )
})
