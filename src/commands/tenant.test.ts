import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createOperator } from './operator.stand-in.ts'

const { config, client, tenant, domain } = await startTestApp()
const operator = createOperator(config)
let count = 0
const newSlug = () => `renamed-${++count}`
const at = (slug: string) => client({ host: `${slug}.${domain}` })

test('a usage error is explained and changes nothing', async () => {
  const invalid = [
    ['tenant', 'create', '--slug', 'acme2'],
    ['tenant', 'create', '--slug', 'acme2', '--name', 'A', '--admin-email', 'unknown'],
    ['tenant', 'create', '--slug', 'acme2', '--name', ' ', '--admin-email', 'a@b.example'],
    ['tenant', 'create', '--slug', 'acme2', '--name', 'A', '--admin-email', 'a@b.example', '--signup', 'all'],
    ['tenant', 'delete', 'acme', '--confirm', 'acme', '--grace-days', '-1'],
    ['tenant', 'suspend', 'acme'],
    ['tenant', 'list', '--status', 'asleep'],
    ['tenant', 'limits', 'acme', '--set', 'color=3'],
    ['tenant'],
    ['tennant', 'list'],
    ['keys', 'new', 'please'],
  ]

  for (const argv of invalid) {
    const { exitCode, err, out } = await operator.run(...argv)
    assert.equal(exitCode, 2, argv.join(' '))
    assert.ok(err.length > 0 && out === '', argv.join(' '))
  }
})

test('unknown workspaces are reported as not found', async () => {
  const calls = [
    ['tenant', 'show', 'unknown'],
    ['tenant', 'suspend', 'unknown', '--reason', 'x'],
    ['tenant', 'resume', 'unknown'],
    ['tenant', 'rename', 'unknown', '--to', 'other'],
    ['tenant', 'delete', 'unknown', '--confirm', 'unknown'],
    ['tenant', 'restore', 'unknown'],
    ['tenant', 'purge', 'unknown'],
    ['tenant', 'limits', 'unknown'],
    ['user', 'invite-admin', '--tenant', 'unknown', '--email', 'a@b.example'],
    ['user', 'reset-password', '--tenant', 'unknown', '--email', 'a@b.example'],
    ['sessions', 'revoke', '--tenant', 'unknown'],
  ]

  for (const argv of calls) {
    const { exitCode, err } = await operator.run(...argv)
    assert.deepEqual([exitCode, err.trim()], [3, 'No workspace has the slug unknown.'], argv.join(' '))
  }
})

test('identity-1-6: a suspended workspace rejects the next request, and the same token works again after resuming', async () => {
  const acme = await tenant()
  const statuses: number[] = []
  let isOver = false
  const stream = (async () => {
    while (!isOver) statuses.push((await acme.member.get('/api/auth/me')).status)
  })()

  const suspended = await operator.spawn('tenant', 'suspend', acme.slug, '--reason', 'unpaid', '--json')
  const next = await acme.member.get('/api/auth/me')
  isOver = true
  await stream
  const publicRoute = await acme.anonymous.get('/api/auth/sso/providers')
  const resumed = await operator.run('tenant', 'resume', acme.slug)
  const after = await acme.member.get('/api/auth/me')

  assert.equal(suspended.body.tenant.status_reason, 'unpaid')
  assert.deepEqual([next.status, next.body.code], [403, 'tenant_suspended'])
  assert.deepEqual(
    [...new Set(statuses)],
    [200, 403],
    'requests are served until the suspension and rejected afterwards',
  )
  assert.equal(publicRoute.status, 403)
  assert.deepEqual([resumed.exitCode, after.status], [0, 200])
  assert.deepEqual(await acme.audit(), ['tenant.suspended', 'tenant.resumed'])
  assert.deepEqual(await acme.events(), ['tenant.suspended', 'tenant.resumed'])
})

test('parked jobs of a suspended workspace run within ten minutes after it is resumed', async () => {
  const acme = await tenant()
  await acme.anonymous.post('/api/auth/forgot-password', { email: acme.admin.email })
  await operator.run('tenant', 'suspend', acme.slug, '--reason', 'unpaid')
  await acme.sql(
    `update pgboss.job set group_tier = 'parked', start_after = now() + interval '1 day' where group_id = $1`,
    [acme.id],
  )

  await operator.run('tenant', 'resume', acme.slug)

  const { rows } = await acme.sql(
    `select group_tier, start_after <= now() + interval '10 minutes' as soon from pgboss.job where group_id = $1`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ group_tier: null, soon: true }])
})

test('a renamed workspace is reachable at its new subdomain only, and all sessions are revoked', async () => {
  const acme = await tenant()
  const to = newSlug()

  const renamed = await operator.run('tenant', 'rename', acme.slug, '--to', to, '--json')
  const there = at(to).with({ headers: { authorization: `Bearer ${acme.admin.accessToken}` } })

  assert.partialDeepStrictEqual(renamed.body, { tenant: { slug: to, id: acme.id }, sessions_ended: 4 })
  assert.equal((await acme.anonymous.get('/api/auth/sso/providers')).body.code, 'tenant_not_found')
  assert.deepEqual((await there.get('/api/auth/me')).body.code, 'token_revoked')
  assert.equal((await at(to).get('/api/auth/sso/providers')).status, 200)
  const newTenant = ['--slug', acme.slug, '--name', 'New', '--admin-email', 'a@b.example']
  assert.equal(
    (await operator.run('tenant', 'create', ...newTenant)).exitCode,
    4,
    'the old slug is blocked for other workspaces',
  )
  assert.equal(
    (await operator.run('tenant', 'rename', to, '--to', acme.slug)).exitCode,
    0,
    'the workspace can return to its old slug',
  )
})

test('a workspace cannot be renamed to a taken, reserved or identical slug', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const rename = async (to: string) => (await operator.run('tenant', 'rename', acme.slug, '--to', to)).exitCode

  assert.deepEqual([await rename(beta.slug), await rename('www'), await rename(acme.slug)], [4, 2, 4])
  assert.equal((await acme.admin.get('/api/auth/me')).status, 200, 'no session was revoked')
})

test('identity-1-7: a deleted workspace is not reachable, and restoring it restores all its data', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { branding: { email_footer: 'kept' } })
  const people = (await acme.admin.get('/api/users/')).body.length

  const deleted = await operator.run('tenant', 'delete', acme.slug, '--confirm', acme.slug)
  const gone = await acme.admin.get('/api/auth/me')
  const restored = await operator.run('tenant', 'restore', acme.slug)
  const suspended = await acme.admin.get('/api/auth/me')
  const resumed = await operator.run('tenant', 'resume', acme.slug)
  const oldSession = await acme.admin.get('/api/auth/me')
  const { body: login } = await acme.anonymous.post('/api/auth/login', {
    email: acme.admin.email,
    password: 'correct horse battery staple',
  })
  const again = acme.bearer(`Bearer ${login.access_token}`)

  assert.match(deleted.out, /4 sessions and 0 API keys revoked.*No export was created/s)
  assert.deepEqual([gone.status, gone.body.code], [404, 'tenant_not_found'])
  assert.deepEqual([restored.exitCode, resumed.exitCode], [0, 0])
  assert.equal(suspended.body.code, 'tenant_suspended')
  assert.equal(oldSession.body.code, 'token_revoked')
  assert.equal((await again.get('/api/admin/settings')).body.branding.email_footer, 'kept')
  assert.equal((await again.get('/api/users/')).body.length, people)
})

test('deleting requires confirmation and revokes API keys permanently', async () => {
  const acme = await tenant()
  await acme.sql(
    `insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, created_by)
     values ($1, gen_random_uuid(), 'Robot', 'svc_live_', 'abcd', 'x', '{leads.read}', $2)`,
    [acme.id, acme.admin.userId],
  )

  const unconfirmed = await operator.run('tenant', 'delete', acme.slug)
  const wrong = await operator.run('tenant', 'delete', acme.slug, '--confirm', `${acme.slug}x`)
  const confirmed = await operator.run('tenant', 'delete', acme.slug, '--confirm', acme.slug, '--json')

  assert.deepEqual([unconfirmed.exitCode, wrong.exitCode, confirmed.exitCode], [5, 5, 0])
  assert.equal(confirmed.body.api_keys_revoked, 1)
  const days = (Date.parse(confirmed.body.tenant.delete_after) - Date.now()) / 86_400_000
  assert.ok(days > 29.9 && days < 30.1)
})

test('an invalid status transition is a conflict', async () => {
  const acme = await tenant()
  const exitCodeOf = async (verb: string, ...more: string[]) =>
    (await operator.run('tenant', verb, acme.slug, ...more)).exitCode

  assert.deepEqual([await exitCodeOf('resume'), await exitCodeOf('restore'), await exitCodeOf('purge')], [4, 4, 4])
  await exitCodeOf('delete', '--confirm', acme.slug)
  assert.deepEqual(
    [
      await exitCodeOf('suspend', '--reason', 'x'),
      await exitCodeOf('resume'),
      await exitCodeOf('rename', '--to', newSlug()),
    ],
    [4, 4, 4],
  )
  assert.equal(await exitCodeOf('delete', '--confirm', acme.slug), 4)
  assert.equal(await exitCodeOf('purge'), 4, 'the grace period has not ended')
  assert.equal(await exitCodeOf('purge', '--now'), 5, 'an early purge requires confirmation')
})

test('a workspace cannot be restored after the grace period', async () => {
  const acme = await tenant()
  await operator.run('tenant', 'delete', acme.slug, '--confirm', acme.slug, '--grace-days', '0')

  const late = await operator.run('tenant', 'restore', acme.slug)

  assert.equal(late.exitCode, 4)
})

test('workspaces are listed and shown without secrets', async () => {
  const acme = await tenant({ name: 'Acme' })
  await operator.run('tenant', 'suspend', acme.slug, '--reason', 'unpaid')

  const suspended = await operator.run('tenant', 'list', '--status', 'suspended', '--json')
  const shown = await operator.run('tenant', 'show', acme.slug, '--json')

  assert.ok(suspended.body.items.some(({ slug }: { slug: string }) => slug === acme.slug))
  assert.deepEqual([...new Set(suspended.body.items.map(({ status }: { status: string }) => status))], ['suspended'])
  assert.partialDeepStrictEqual(shown.body.tenant, { id: acme.id, name: 'Acme', users: { active: 4 } })
})

test('the operator sets and removes limits', async () => {
  const acme = await tenant()

  const set = await operator.run('tenant', 'limits', acme.slug, '--set', 'storage_quota_bytes=1000', '--json')
  const read = await operator.run('tenant', 'limits', acme.slug, '--json')
  const lifted = await operator.run('tenant', 'limits', acme.slug, '--set', 'storage_quota_bytes=none', '--json')

  assert.deepEqual(
    [set.body, read.body],
    [{ limits: { storage_quota_bytes: 1_000 } }, { limits: { storage_quota_bytes: 1_000 } }],
  )
  assert.deepEqual(lifted.body, { limits: {} })
})
