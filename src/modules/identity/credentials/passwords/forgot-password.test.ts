import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { password, startTestApp, waitUntil } from '#testing'

const app = await startTestApp()
await app.startTestWorker()
const chosen = 'seven green bicycles'

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const forgot = (acme: Tenant, email: string, headers: Record<string, string> = {}) =>
  acme.anonymous.post('/api/auth/forgot-password', { email }, headers)
const reset = (acme: Tenant, token: string, new_password = chosen) =>
  acme.anonymous.post('/api/auth/reset-password', { token, new_password })

async function linkFor(email: string, mails = 1): Promise<URL> {
  const mail = (await app.mails(email, mails)).at(mails - 1)
  return new URL(/https?:\S+token=[\w-]{43}/.exec(mail?.text ?? '')![0])
}
const tokenIn = (link: URL) => new URLSearchParams(link.hash.slice(1)).get('token')!

const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1]!

async function waitUntilQueueIsEmpty(acme: Tenant): Promise<void> {
  const open = `select 1 from pgboss.job where group_id = $1::text and state in ('created', 'retry', 'active')`
  await waitUntil(async () => (await acme.sql(open, [acme.id])).rowCount === 0)
}

type Medians = { known: number; unknown: number }

const areClose = ({ known, unknown }: Medians): boolean => Math.abs(known - unknown) < 10 + Math.min(known, unknown) / 2

async function measureResets(acme: Tenant, bodies: Set<string>): Promise<Medians> {
  const times = { known: [] as number[], unknown: [] as number[] }
  const others = await Promise.all(Array.from({ length: 30 }, () => acme.person('viewer')))
  for (const { email } of others) {
    for (const who of ['known', 'unknown'] as const) {
      const start = performance.now()
      const response = await forgot(acme, who === 'known' ? email : `${randomUUID()}@example.com`)
      times[who].push(performance.now() - start)
      assert.equal(response.status, 200)
      bodies.add(response.text)
    }
  }
  return { known: median(times.known), unknown: median(times.unknown) }
}

test('identity-2-8 a reset request responds the same for every email and only an existing account gets a link', async () => {
  const acme = await app.tenant()
  const unknown = `unknown-${randomUUID()}@example.com`
  const bodies = new Set<string>()

  // A difference that the account causes is there in every attempt, one that the load of the machine causes is not.
  let medians = await measureResets(acme, bodies)
  for (let attempt = 2; attempt <= 3 && !areClose(medians); attempt++) medians = await measureResets(acme, bodies)
  await forgot(acme, unknown)
  await forgot(acme, acme.member.email, { 'x-forwarded-host': 'evil.example' })
  const link = await linkFor(acme.member.email)
  await waitUntilQueueIsEmpty(acme)

  assert.deepEqual([...bodies], ['{"status":"accepted"}'])
  assert.ok(areClose(medians), `${medians.known} ms and ${medians.unknown} ms`)
  assert.equal(link.host, acme.host)
  assert.deepEqual(await app.mails(unknown), [])
})

test('identity-1-9 a reset link uses the host of the workspace of the account', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const both = `both-${randomUUID()}@example.com`
  await acme.person('member', { email: both })
  await beta.person('member', { email: both })

  await forgot(beta, acme.member.email)
  await forgot(beta, both)
  const link = await linkFor(both)
  await waitUntilQueueIsEmpty(beta)

  assert.equal(link.host, beta.host)
  assert.deepEqual(await app.mails(acme.member.email), [])
  assert.equal((await app.mails(both)).length, 1)
})

test('identity-2-9 a reset link works once and only in its workspace', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const { email } = acme.member
  await forgot(acme, email)
  const token = tokenIn(await linkFor(email))

  const elsewhere = await reset(beta, token)
  const first = await reset(acme, token)
  const second = await reset(acme, token, 'another long password')

  assert.equal(elsewhere.status, 422)
  assert.deepEqual(
    elsewhere.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [['/token', 'invalid']],
  )
  assert.deepEqual(first.body, { status: 'password_reset', sessions_revoked: 1 })
  assert.equal(second.status, 410)
  assert.equal(second.body.code, 'link_expired')
  assert.equal((await acme.member.get('/api/auth/me')).body.code, 'token_revoked')
  const login = (passwordText: string) => acme.anonymous.post('/api/auth/login', { email, password: passwordText })
  assert.deepEqual([(await login(password)).status, (await login(chosen)).status], [401, 200])
  const stored = await acme.sql('select token_hash from identity.one_time_tokens where tenant_id = $1', [acme.id])
  assert.ok(!stored.rows.some(({ token_hash }) => token_hash.toString('base64url') === token))
  const queue = await acme.sql('select data::text from pgboss.job where group_id = $1::text', [acme.id])
  assert.ok(!JSON.stringify(queue.rows).includes(token))
})

test('one of several concurrent uses of a link succeeds', async () => {
  const acme = await app.tenant()
  await forgot(acme, acme.member.email)
  const token = tokenIn(await linkFor(acme.member.email))

  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, index) => reset(acme, token, `a long password, number ${index}`)),
  )

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 410, 410, 410, 410, 410])
})

test('a password change invalidates all other links and a link expires after an hour', async () => {
  const acme = await app.tenant()
  const { email } = acme.viewer
  await forgot(acme, email)
  const first = tokenIn(await linkFor(email, 1))
  await forgot(acme, email)
  const second = tokenIn(await linkFor(email, 2))
  await forgot(acme, acme.manager.email)
  const late = tokenIn(await linkFor(acme.manager.email))

  const used = await reset(acme, second)
  const closed = await reset(acme, first)
  app.clock.advance(3_601)
  const tooLate = await reset(acme, late)

  assert.deepEqual([used.status, closed.status, tooLate.status], [200, 410, 410])
})

test('a user gets at most three links per hour and the response does not reveal it', async () => {
  const acme = await app.tenant()
  const { email } = acme.member

  const responses = await Promise.all(Array.from({ length: 5 }, () => forgot(acme, email)))
  await waitUntilQueueIsEmpty(acme)
  const received = (await app.mails(email, 3)).length
  app.clock.advance(3_601)
  await forgot(acme, email)
  const later = (await app.mails(email, 4)).length

  assert.deepEqual(new Set(responses.map(({ text }) => text)), new Set(['{"status":"accepted"}']))
  assert.equal(received, 3)
  assert.equal(later, 4)
})

test('users who cannot sign in with a password get no link', async () => {
  const acme = await app.tenant()
  await acme.sql(`update identity.users set status = 'deactivated', deactivated_at = now() where id = $1`, [
    acme.viewer.userId,
  ])
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'sso', '{"enforced": true}')`,
    [acme.id],
  )

  for (const { email } of [acme.viewer, acme.member, acme.admin]) await forgot(acme, email)
  await waitUntilQueueIsEmpty(acme)

  assert.equal((await app.mails(acme.admin.email, 1)).length, 1)
  assert.deepEqual(await app.mails(acme.viewer.email), [])
  assert.deepEqual(await app.mails(acme.member.email), [])
})

test('setting a password activates an invited user and verifies the email address', async () => {
  const acme = await app.tenant()
  const { userId, email } = acme.member
  await acme.sql(`update identity.users set status = 'invited', email_verified_at = null where id = $1`, [userId])
  await acme.sql('update identity.user_credentials set password_hash = null where user_id = $1', [userId])
  await forgot(acme, email)

  const response = await reset(acme, tokenIn(await linkFor(email)))

  assert.equal(response.status, 200, response.text)
  const { rows } = await acme.sql(
    'select status, email_verified_at is not null as verified from identity.users where id = $1',
    [userId],
  )
  assert.deepEqual(rows, [{ status: 'active', verified: true }])
  assert.ok((await acme.events()).includes('user.activated'))
  assert.equal((await acme.anonymous.post('/api/auth/login', { email, password: chosen })).status, 200)
})

test('a link of a deactivated user is rejected', async () => {
  const acme = await app.tenant()
  await forgot(acme, acme.member.email)
  const token = tokenIn(await linkFor(acme.member.email))
  await acme.sql(`update identity.users set status = 'deactivated', deactivated_at = now() where id = $1`, [
    acme.member.userId,
  ])

  const response = await reset(acme, token)

  assert.equal(response.status, 410)
})

test('an unchanged or weak password is rejected without consuming the link', async () => {
  const acme = await app.tenant()
  await forgot(acme, acme.member.email)
  const token = tokenIn(await linkFor(acme.member.email))

  const codes = []
  for (const attempt of [password, 'short', 'password1234'])
    codes.push((await reset(acme, token, attempt)).body.errors[0].code)
  const nonsense = await acme.anonymous.post('/api/auth/reset-password', { token: 'x', new_password: chosen })
  const good = await reset(acme, token)

  assert.deepEqual(codes, ['unchanged', 'minLength', 'common_password'])
  assert.equal(nonsense.status, 422)
  assert.equal(good.status, 200)
})
