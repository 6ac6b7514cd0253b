import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { operatorOf } from './operator.stand-in.ts'

const { config, client, tenant, domain } = await startTestApp()
const operator = operatorOf(config)
let count = 0
const newSlug = () => `moved-${++count}`
const at = (slug: string) => client({ host: `${slug}.${domain}` })

test('a call that makes no sense is explained and changes nothing', async () => {
  const wrong = [
    ['tenant', 'create', '--slug', 'acme2'],
    ['tenant', 'create', '--slug', 'acme2', '--name', 'A', '--admin-email', 'nobody'],
    ['tenant', 'create', '--slug', 'acme2', '--name', ' ', '--admin-email', 'a@b.example'],
    ['tenant', 'create', '--slug', 'acme2', '--name', 'A', '--admin-email', 'a@b.example', '--signup', 'all'],
    ['tenant', 'delete', 'acme', '--confirm', 'acme', '--grace-days', '-1'],
    ['tenant', 'suspend', 'acme'],
    ['tenant', 'list', '--status', 'asleep'],
    ['tenant', 'limits', 'acme', '--set', 'colour=3'],
    ['tenant'],
    ['tennant', 'list'],
    ['keys', 'new', 'please'],
  ]

  for (const argv of wrong) {
    const { exitCode, err, out } = await operator.says(...argv)
    assert.equal(exitCode, 2, argv.join(' '))
    assert.ok(err.length > 0 && out === '', argv.join(' '))
  }
})

test('a workspace nobody has is not found', async () => {
  const calls = [
    ['tenant', 'show', 'nobody'],
    ['tenant', 'suspend', 'nobody', '--reason', 'x'],
    ['tenant', 'resume', 'nobody'],
    ['tenant', 'rename', 'nobody', '--to', 'somebody'],
    ['tenant', 'delete', 'nobody', '--confirm', 'nobody'],
    ['tenant', 'restore', 'nobody'],
    ['tenant', 'purge', 'nobody'],
    ['tenant', 'limits', 'nobody'],
    ['user', 'invite-admin', '--tenant', 'nobody', '--email', 'a@b.example'],
    ['user', 'reset-password', '--tenant', 'nobody', '--email', 'a@b.example'],
    ['sessions', 'revoke', '--tenant', 'nobody'],
  ]

  for (const argv of calls) assert.equal((await operator.says(...argv)).exitCode, 3, argv.join(' '))
})

test('identity-1-6: a suspended workspace refuses the very next request, and opens again for the same token', async () => {
  const acme = await tenant()
  const statuses: number[] = []
  let isOver = false
  const stream = (async () => {
    while (!isOver) statuses.push((await acme.member.get('/api/auth/me')).status)
  })()

  const suspended = await operator.types('tenant', 'suspend', acme.slug, '--reason', 'unpaid', '--json')
  const next = await acme.member.get('/api/auth/me')
  isOver = true
  await stream
  const publicRoute = await acme.anonymous.get('/api/auth/sso/providers')
  const resumed = await operator.types('tenant', 'resume', acme.slug)
  const after = await acme.member.get('/api/auth/me')

  assert.equal(suspended.body.tenant.status_reason, 'unpaid')
  assert.deepEqual([next.status, next.body.code], [403, 'tenant_suspended'])
  assert.deepEqual(
    [...new Set(statuses)],
    [200, 403],
    'requests are served until it is suspended, and refused from then on',
  )
  assert.equal(publicRoute.status, 403)
  assert.deepEqual([resumed.exitCode, after.status], [0, 200])
  assert.deepEqual(await acme.audit(), ['tenant.suspended', 'tenant.resumed'])
  assert.deepEqual(await acme.events(), ['tenant.suspended', 'tenant.resumed'])
})

test('jobs that were laid aside while a workspace was suspended go on within ten minutes of its return', async () => {
  const acme = await tenant()
  await acme.anonymous.post('/api/auth/forgot-password', { email: acme.admin.email })
  await operator.says('tenant', 'suspend', acme.slug, '--reason', 'unpaid')
  await acme.sql(
    `update pgboss.job set group_tier = 'parked', start_after = now() + interval '1 day' where group_id = $1`,
    [acme.id],
  )

  await operator.types('tenant', 'resume', acme.slug)

  const { rows } = await acme.sql(
    `select group_tier, start_after <= now() + interval '10 minutes' as soon from pgboss.job where group_id = $1`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ group_tier: null, soon: true }])
})

test('a renamed workspace is found at its new address only, and everyone signs in again', async () => {
  const acme = await tenant()
  const to = newSlug()

  const renamed = await operator.says('tenant', 'rename', acme.slug, '--to', to, '--json')
  const there = at(to).with({ headers: { authorization: `Bearer ${acme.admin.accessToken}` } })

  assert.partialDeepStrictEqual(renamed.body, { tenant: { slug: to, id: acme.id }, sessions_ended: 4 })
  assert.equal((await acme.anonymous.get('/api/auth/sso/providers')).body.code, 'tenant_not_found')
  assert.deepEqual((await there.get('/api/auth/me')).body.code, 'token_revoked')
  assert.equal((await at(to).get('/api/auth/sso/providers')).status, 200)
  const heir = ['--slug', acme.slug, '--name', 'Heir', '--admin-email', 'a@b.example']
  assert.equal((await operator.says('tenant', 'create', ...heir)).exitCode, 4, 'nobody else gets the old address')
  assert.equal(
    (await operator.says('tenant', 'rename', to, '--to', acme.slug)).exitCode,
    0,
    'but its workspace may return',
  )
})

test('a workspace cannot move to an address that is taken, reserved or its own', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  const move = async (to: string) => (await operator.says('tenant', 'rename', acme.slug, '--to', to)).exitCode

  assert.deepEqual([await move(beta.slug), await move('www'), await move(acme.slug)], [4, 2, 4])
  assert.equal((await acme.admin.get('/api/auth/me')).status, 200, 'nobody was signed out')
})

test('identity-1-7: a deleted workspace is gone for everyone, and comes back with all its data', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { branding: { email_footer: 'kept' } })
  const people = (await acme.admin.get('/api/users/')).body.length

  const deleted = await operator.types('tenant', 'delete', acme.slug, '--confirm', acme.slug)
  const gone = await acme.admin.get('/api/auth/me')
  const restored = await operator.types('tenant', 'restore', acme.slug)
  const closed = await acme.admin.get('/api/auth/me')
  const resumed = await operator.types('tenant', 'resume', acme.slug)
  const oldSession = await acme.admin.get('/api/auth/me')
  const { body: login } = await acme.anonymous.post('/api/auth/login', {
    email: acme.admin.email,
    password: 'correct horse battery staple',
  })
  const again = acme.bearer(`Bearer ${login.access_token}`)

  assert.match(deleted.out, /4 sessions ended, 0 API keys revoked.*No export was made/s)
  assert.deepEqual([gone.status, gone.body.code], [404, 'tenant_not_found'])
  assert.deepEqual([restored.exitCode, resumed.exitCode], [0, 0])
  assert.equal(closed.body.code, 'tenant_suspended')
  assert.equal(oldSession.body.code, 'token_revoked')
  assert.equal((await again.get('/api/admin/settings')).body.branding.email_footer, 'kept')
  assert.equal((await again.get('/api/users/')).body.length, people)
})

test('deleting wants the slug once more, and revokes API keys for good', async () => {
  const acme = await tenant()
  await acme.sql(
    `insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, created_by)
     values ($1, gen_random_uuid(), 'Robot', 'svc_live_', 'abcd', 'x', '{leads.read}', $2)`,
    [acme.id, acme.admin.userId],
  )

  const unconfirmed = await operator.says('tenant', 'delete', acme.slug)
  const mistaken = await operator.says('tenant', 'delete', acme.slug, '--confirm', `${acme.slug}x`)
  const confirmed = await operator.says('tenant', 'delete', acme.slug, '--confirm', acme.slug, '--json')

  assert.deepEqual([unconfirmed.exitCode, mistaken.exitCode, confirmed.exitCode], [5, 5, 0])
  assert.equal(confirmed.body.api_keys_revoked, 1)
  const days = (Date.parse(confirmed.body.tenant.delete_after) - Date.now()) / 86_400_000
  assert.ok(days > 29.9 && days < 30.1)
})

test('what a workspace cannot become is a conflict', async () => {
  const acme = await tenant()
  const say = async (verb: string, ...more: string[]) =>
    (await operator.says('tenant', verb, acme.slug, ...more)).exitCode

  assert.deepEqual([await say('resume'), await say('restore'), await say('purge')], [4, 4, 4])
  await say('delete', '--confirm', acme.slug)
  assert.deepEqual(
    [await say('suspend', '--reason', 'x'), await say('resume'), await say('rename', '--to', newSlug())],
    [4, 4, 4],
  )
  assert.equal(await say('delete', '--confirm', acme.slug), 4)
  assert.equal(await say('purge'), 4, 'its grace is not over')
  assert.equal(await say('purge', '--now'), 5, 'sooner only if it is meant')
})

test('after the last day a deleted workspace cannot be restored', async () => {
  const acme = await tenant()
  await operator.says('tenant', 'delete', acme.slug, '--confirm', acme.slug, '--grace-days', '0')

  const late = await operator.says('tenant', 'restore', acme.slug)

  assert.equal(late.exitCode, 4)
})

test('workspaces are listed and shown without anything secret', async () => {
  const acme = await tenant({ name: 'Acme' })
  await operator.says('tenant', 'suspend', acme.slug, '--reason', 'unpaid')

  const suspended = await operator.says('tenant', 'list', '--status', 'suspended', '--json')
  const shown = await operator.says('tenant', 'show', acme.slug, '--json')

  assert.ok(suspended.body.items.some(({ slug }: { slug: string }) => slug === acme.slug))
  assert.deepEqual([...new Set(suspended.body.items.map(({ status }: { status: string }) => status))], ['suspended'])
  assert.partialDeepStrictEqual(shown.body.tenant, { id: acme.id, name: 'Acme', users: { active: 4 } })
})

test('limits are the operator’s to set', async () => {
  const acme = await tenant()

  const set = await operator.says('tenant', 'limits', acme.slug, '--set', 'storage_quota_bytes=1000', '--json')
  const read = await operator.says('tenant', 'limits', acme.slug, '--json')
  const lifted = await operator.says('tenant', 'limits', acme.slug, '--set', 'storage_quota_bytes=none', '--json')

  assert.deepEqual(
    [set.body, read.body],
    [{ limits: { storage_quota_bytes: 1_000 } }, { limits: { storage_quota_bytes: 1_000 } }],
  )
  assert.deepEqual(lifted.body, { limits: {} })
})
