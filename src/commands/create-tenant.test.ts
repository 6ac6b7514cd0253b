import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startTestApp } from '#testing'
import { operatorOf } from './operator.stand-in.ts'

const { config, client, owner, domain } = await startTestApp()
const operator = operatorOf(config)
const password = 'a long enough phrase of words'
let count = 0
const newSlug = () => `made-${++count}`
const at = (slug: string) => client({ host: `${slug}.${domain}` })

const create = (slug: string, ...more: string[]) =>
  operator.says(
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

test('identity-1-1: a workspace that was created answers, one that was not does not exist', async () => {
  const created = await operator.types(
    ...['tenant', 'create', '--slug', 'acme', '--name', 'Acme Ltd', '--admin-email', 'ada@acme.example'],
  )

  const providers = await at('acme').get('/api/auth/sso/providers')
  const nowhere = await at('nope').get('/api/auth/sso/providers')

  assert.equal(created.exitCode, 0, created.err)
  assert.match(created.out, /https:\/\/acme\.tributary\.test\/accept-invite#token=[\w-]{43}\n$/)
  assert.equal(providers.status, 200)
  assert.deepEqual([nowhere.status, nowhere.body.code], [404, 'tenant_not_found'])
})

test('the link of a new workspace lets its first admin in, once, and nobody is given a password', async () => {
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

test('a new workspace lets colleagues of its admin sign up, unless anyone could be a colleague', async () => {
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

test('creating a workspace is announced in it, in the name of the operator', async () => {
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

test('identity-1-2: a slug that cannot be used is a wrong call, one that is taken a conflict', async () => {
  const taken = newSlug()
  await create(taken)

  const answers = await Promise.all(['www', 'Ac_me', 'a--b', 'ab', 'xn--abc', taken].map((slug) => create(slug)))
  const process = await operator.types(
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
    answers.map(({ exitCode }) => exitCode),
    [2, 2, 2, 2, 2, 4],
  )
  assert.equal(process.exitCode, 2)
  assert.equal(process.err, 'The slug www is reserved. Choose another one.\n')
  assert.deepEqual(answers.at(-1)?.body, {
    error: { code: 'already_exists', message: `There is a workspace ${taken} already.` },
  })
})

test('of two who create the same workspace at once one succeeds, and nothing is left of the other', async () => {
  const slug = newSlug()

  const answers = await Promise.all([create(slug), create(slug), create(slug)])

  assert.deepEqual(answers.map(({ exitCode }) => exitCode).sort(), [0, 4, 4])
  const { rows } = await owner.query('select count(*)::int from identity.users where email = $1', [
    `ada@${slug}.example`,
  ])
  assert.equal(rows[0].count, 1)
})

test('nobody slips into an address in the moment another workspace leaves it', async () => {
  const slug = newSlug()
  const { body } = await create(slug)
  const leaving = await owner.connect()
  await leaving.query('begin')
  await leaving.query(`update identity.tenants set slug = $2 where slug = $1`, [slug, newSlug()])
  await leaving.query(
    `insert into identity.tenant_slug_tombstones (slug, released_tenant, blocked_until) values ($1, $2, now() + interval '90 days')`,
    [slug, body.tenant.id],
  )

  const slipping = create(slug)
  await setTimeout(300)
  await leaving.query('commit')
  leaving.release()

  assert.equal((await slipping).exitCode, 4)
})
