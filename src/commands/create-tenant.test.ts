import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startTestApp } from '#testing'
import { createOperator } from './operator.stand-in.ts'

const { config, client, owner, domain } = await startTestApp()
const operator = createOperator(config)
const password = 'a long enough phrase of words'
let count = 0
const newSlug = () => `new-${++count}`
const at = (slug: string) => client({ host: `${slug}.${domain}` })

const create = (slug: string, ...more: string[]) =>
  operator.run(
    'tenant',
    'create',
    '--slug',
    slug,
    '--name',
    'Acme',
    '--admin-email',
    `ada@${slug}.example`,
    '--json',
    ...more,
  )

const tokenOf = (link: string) => new URL(link).hash.replace('#token=', '')

async function signIn(slug: string, email: string) {
  const login = await at(slug).post('/api/auth/login', { email, password })
  assert.equal(login.status, 200, login.text)
  return at(slug).with({ headers: { authorization: `Bearer ${login.body.access_token}` } })
}

test('identity-1-1: a created workspace is reachable and an unknown one returns 404', async () => {
  const created = await operator.spawn(
    'tenant',
    'create',
    '--slug',
    'acme',
    '--name',
    'Acme Ltd',
    '--admin-email',
    'ada@acme.example',
  )

  const providers = await at('acme').get('/api/auth/sso/providers')
  const unknown = await at('nope').get('/api/auth/sso/providers')

  assert.equal(created.exitCode, 0, created.err)
  assert.match(created.out, /https:\/\/acme\.tributary\.test\/accept-invite#token=[\w-]{43}\n$/)
  assert.equal(providers.status, 200)
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'tenant_not_found'])
})

test('the first admin of a new workspace sets a password with a single-use link', async () => {
  const slug = newSlug()
  const { body } = await create(slug, '--admin-name', 'Ada Lovelace')
  const token = tokenOf(body.invitation.link)

  const chosen = await at(slug).post('/api/auth/reset-password', { token, new_password: password })
  const again = await at(slug).post('/api/auth/reset-password', { token, new_password: `${password}!` })
  const ada = await signIn(slug, `ada@${slug}.example`)
  const me = await ada.get('/api/auth/me')

  assert.equal(chosen.status, 200)
  assert.equal(again.status, 410)
  assert.partialDeepStrictEqual(me.body, { name: 'Ada Lovelace', role: 'admin', tenant: { slug, name: 'Acme' } })
})

test('sign-up of a new workspace is open to the domain of its admin, except for free email providers', async () => {
  const policyOf = async (slug: string) =>
    (
      await owner.query(
        `select doc from identity.tenant_settings join identity.tenants on id = tenant_id
      where slug = $1 and section = 'signup'`,
        [slug],
      )
    ).rows[0].doc
  const [company, private_, open] = [newSlug(), newSlug(), newSlug()]
  await create(company)
  await create(private_, '--admin-email', 'ada@gmail.com')
  await create(open, '--signup', 'open')

  const impossible = await create(newSlug(), '--admin-email', 'ada@gmail.com', '--signup', 'domain')

  assert.deepEqual(await policyOf(company), { policy: 'domain', allowed_email_domains: [`${company}.example`] })
  assert.deepEqual(await policyOf(private_), { policy: 'closed', allowed_email_domains: [] })
  assert.partialDeepStrictEqual(await policyOf(open), { policy: 'open', require_verified_email: false })
  assert.equal(impossible.exitCode, 2)
})

test('creating a workspace emits events and audit entries with the operator as actor', async () => {
  const slug = newSlug()

  const { body } = await create(slug)

  const rows = async (text: string) => (await owner.query({ text, values: [body.tenant.id], rowMode: 'array' })).rows
  assert.deepEqual(await rows('select type, actor from platform.outbox_events where tenant_id = $1 order by id'), [
    ['tenant.created', { type: 'operator', id: null }],
    ['user.created', { type: 'operator', id: null }],
  ])
  assert.deepEqual(await rows('select action, actor_type from platform.audit_log where tenant_id = $1 order by id'), [
    ['tenant.created', 'operator'],
    ['user.created', 'operator'],
  ])
})

test('identity-1-2: an invalid slug is a usage error and a taken slug is a conflict', async () => {
  const taken = newSlug()
  await create(taken)

  const results = await Promise.all(['www', 'Ac_me', 'a--b', 'ab', 'xn--abc', taken].map((slug) => create(slug)))
  const process = await operator.spawn(
    'tenant',
    'create',
    '--slug',
    'www',
    '--name',
    'A',
    '--admin-email',
    'a@b.example',
  )

  assert.deepEqual(
    results.map(({ exitCode }) => exitCode),
    [2, 2, 2, 2, 2, 4],
  )
  assert.equal(process.exitCode, 2)
  assert.equal(process.err, 'The slug www is reserved. Choose another slug.\n')
  assert.deepEqual(results.at(-1)?.body, {
    error: { code: 'already_exists', message: `A workspace with the slug ${taken} already exists.` },
  })
})

test('one of several concurrent creates of the same workspace succeeds and the others leave nothing behind', async () => {
  const slug = newSlug()

  const results = await Promise.all([create(slug), create(slug), create(slug)])

  assert.deepEqual(results.map(({ exitCode }) => exitCode).sort(), [0, 4, 4])
  const { rows } = await owner.query('select count(*)::int from identity.users where email = $1', [
    `ada@${slug}.example`,
  ])
  assert.equal(rows[0].count, 1)
})

test('a slug cannot be taken while another workspace is releasing it', async () => {
  const slug = newSlug()
  const { body } = await create(slug)
  const renaming = await owner.connect()
  await renaming.query('begin')
  await renaming.query(`update identity.tenants set slug = $2 where slug = $1`, [slug, newSlug()])
  await renaming.query(
    `insert into identity.tenant_slug_tombstones (slug, released_tenant, blocked_until) values ($1, $2, now() + interval '90 days')`,
    [slug, body.tenant.id],
  )

  const creating = create(slug)
  await setTimeout(300)
  await renaming.query('commit')
  renaming.release()

  assert.equal((await creating).exitCode, 4)
})
