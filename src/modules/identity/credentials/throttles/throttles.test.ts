import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { inSystem } from '#platform/db'
import { password, startTestApp } from '#testing'
import { deleteExpiredThrottlesSchedule } from './throttles.jobs.ts'
import { loginThrottles } from './throttles.rules.ts'

const app = await startTestApp()
const wrong = 'this is not the password'

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const logIn = (acme: Tenant, email: string, passwordText = password, ip = '198.51.100.7') =>
  acme.anonymous.with({ remoteAddress: ip }).post('/api/auth/login', { email, password: passwordText })

type Attempt = Parameters<typeof loginThrottles>[0]

const perHour = (limit: number, left: number) => ({ limit, windowSeconds: 3_600, left })

/** Sets the throttle with this limit as if `left` attempts were left. */
async function fillThrottle(
  acme: Tenant,
  attempt: Omit<Attempt, 'tenantId'>,
  { limit, windowSeconds, left }: { limit: number; windowSeconds: number; left: number },
) {
  const throttles = loginThrottles({ tenantId: acme.id, ...attempt })
  const { bucket } = throttles.find((one) => one.limit === limit && one.windowSeconds === windowSeconds)!
  await acme.sql(
    `insert into identity.auth_throttles (bucket, count, window_ends_at) values ($1, $2, $3)
     on conflict (bucket) do update set count = excluded.count`,
    [bucket, limit - left, new Date(app.clock.now().getTime() + windowSeconds * 1_000)],
  )
}

test('identity-2-2 after five wrong passwords from one IP address further attempts are throttled, for known and unknown emails alike', async () => {
  const acme = await app.tenant()

  const [known, unknown] = [acme.member.email, `unknown-${randomUUID()}@example.com`]
  const responses = { known: [] as number[], unknown: [] as number[] }
  const bodies: unknown[] = []
  for (let attempt = 0; attempt < 10; attempt++) {
    for (const [who, email] of [
      ['known', known],
      ['unknown', unknown],
    ] as const) {
      const response = await logIn(acme, email, wrong)
      responses[who].push(response.status)
      if (attempt === 0) bodies.push({ ...response.body, request_id: null })
      if (response.status !== 429) continue
      const seconds = Number(response.headers['retry-after'])
      assert.ok(seconds > 800)
      const wait = `${Math.ceil(seconds / 60)} minutes`
      assert.equal(response.body.detail, `Too many failed attempts. Try again in ${wait} or reset your password.`)
    }
  }

  const expected = [401, 401, 401, 401, 401, 429, 429, 429, 429, 429]
  assert.deepEqual(responses, { known: expected, unknown: expected })
  assert.deepEqual(bodies[0], bodies[1])
  assert.equal((await logIn(acme, known, password)).status, 429)
  assert.equal((await logIn(acme, known, password, '203.0.113.9')).status, 200)
})

test('concurrent wrong passwords do not get more attempts than sequential ones', async () => {
  const acme = await app.tenant()

  const responses = await Promise.all(Array.from({ length: 20 }, () => logIn(acme, acme.member.email, wrong)))

  assert.equal(responses.filter(({ status }) => status === 401).length, 5)
  assert.equal(responses.filter(({ status }) => status === 429).length, 15)
})

test('concurrent correct passwords all succeed', async () => {
  const acme = await app.tenant()

  const responses = await Promise.all(Array.from({ length: 12 }, () => logIn(acme, acme.member.email)))

  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
})

test('a success clears the failures and the throttle expires', async () => {
  const acme = await app.tenant()
  const { email } = acme.member
  for (let attempt = 0; attempt < 4; attempt++) await logIn(acme, email, wrong)

  const right = await logIn(acme, email)
  const after = []
  for (let attempt = 0; attempt < 6; attempt++) after.push((await logIn(acme, email, wrong)).status)
  app.clock.advance(15 * 60 + 1)
  const later = await logIn(acme, email)

  assert.equal(right.status, 200)
  assert.deepEqual(after, [401, 401, 401, 401, 401, 429])
  assert.equal(later.status, 200)
})

test('distributed attacks cannot lock a user out of a known network', async () => {
  const acme = await app.tenant()
  const { email } = acme.member
  assert.equal((await logIn(acme, email, password, '198.51.100.7')).status, 200)
  await fillThrottle(acme, { emailKey: email, ip: '203.0.113.1', isKnownNetwork: false }, perHour(50, 10))
  for (let attacker = 0; attacker < 2; attacker++)
    for (let attempt = 0; attempt < 5; attempt++) await logIn(acme, email, wrong, `203.0.113.${attacker}`)

  const elsewhere = await logIn(acme, email, password, '192.0.2.1')
  const nearby = await logIn(acme, email, password, '198.51.100.99')

  assert.equal(elsewhere.status, 429)
  assert.ok(Number(elsewhere.headers['retry-after']) > 3_000)
  assert.equal(nearby.status, 200)
})

test('one network cannot try a password on many accounts', async () => {
  const acme = await app.tenant()
  const guess = { emailKey: 'a@example.com', ip: '192.0.2.77', isKnownNetwork: false }
  await fillThrottle(acme, guess, { limit: 100, windowSeconds: 900, left: 3 })

  const statuses = []
  for (let person = 0; person < 4; person++)
    statuses.push((await logIn(acme, `person-${person}@example.com`, wrong, '192.0.2.77')).status)

  assert.deepEqual(statuses, [401, 401, 401, 429])
})

test('the guesses from a network that the user has signed in from are limited too', async () => {
  const acme = await app.tenant()
  const { email } = acme.member
  assert.equal((await logIn(acme, email, password, '198.51.100.7')).status, 200)
  await fillThrottle(acme, { emailKey: email, ip: '198.51.100.7', isKnownNetwork: true }, perHour(100, 2))

  const guesses = []
  for (const ip of ['198.51.100.20', '198.51.100.21', '198.51.100.22'])
    guesses.push((await logIn(acme, email, wrong, ip)).status)

  assert.deepEqual(guesses, [401, 401, 429])
})

test('other spellings of an email address do not get guesses of their own', async () => {
  const acme = await app.tenant()
  const { userId } = await acme.person('member', { email: `victim@${acme.slug}.example` })
  const spell = (name: string) => `${name}@${acme.slug}.example`
  const foreign = ['v\u0130ctim', 'VICT\u0130M', '\uff56ictim', 'v\u0131ctim'].map(spell)

  const found = []
  for (const email of foreign) found.push((await logIn(acme, email, password)).status)
  const upper = []
  for (const name of ['victim', 'VICTIM', 'Victim', 'vIctim', 'viCtim', 'victiM'])
    upper.push((await logIn(acme, spell(name), wrong)).status)

  assert.deepEqual(found, [401, 401, 401, 401])
  assert.deepEqual(upper, [401, 401, 401, 401, 401, 429])
  const { rows } = await acme.sql('select id from identity.login_events where user_id = $1', [userId])
  assert.equal(rows.length, 6)
})

test('the networks of a /48 or /24 prefix share a limit on failed sign-ins', async () => {
  const acme = await app.tenant()
  const guess = { emailKey: 'a@example.com', ip: '2001:db8:5:1::1', isKnownNetwork: false }
  await fillThrottle(acme, guess, { limit: 500, windowSeconds: 900, left: 1 })

  const statuses = []
  for (const ip of ['2001:db8:5:2::1', '2001:db8:5:3::1', '2001:db8:6::1'])
    statuses.push((await logIn(acme, `b-${ip}@example.com`, wrong, ip)).status)

  assert.deepEqual(statuses, [401, 429, 401])
})

test('a workspace limits failed sign-ins from all networks, except those its users have signed in from', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  assert.equal((await logIn(acme, acme.member.email, password, '198.51.100.7')).status, 200)
  await fillThrottle(acme, { emailKey: 'a@example.com', ip: '192.0.2.1', isKnownNetwork: false }, perHour(2_000, 1))

  const guesses = []
  for (const n of [1, 2]) guesses.push((await logIn(acme, `c-${n}@example.com`, wrong, `192.0.${n}.1`)).status)
  const known = await logIn(acme, acme.member.email, password, '198.51.100.8')
  const elsewhere = await logIn(beta, beta.member.email, password, '192.0.2.1')

  assert.deepEqual(guesses, [401, 429])
  assert.deepEqual([known.status, elsewhere.status], [200, 200])
})

test('failures in one workspace do not count in another', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const email = 'same@example.com'
  await acme.person('member', { email })
  await beta.person('member', { email })
  for (let attempt = 0; attempt < 6; attempt++) await logIn(acme, email, wrong)

  const elsewhere = await logIn(beta, email)

  assert.equal(elsewhere.status, 200)
})

test('repeated failures are announced once', async () => {
  const acme = await app.tenant()
  for (let attempt = 0; attempt < 8; attempt++) await logIn(acme, acme.member.email, wrong)

  const events = await acme.events()

  assert.deepEqual(events, ['login.failed_repeatedly'])
})

test('only expired throttles are deleted', async () => {
  const acme = await app.tenant()
  await acme.sql('delete from identity.auth_throttles')
  await logIn(acme, 'early@example.com', wrong, '203.0.113.1')
  app.clock.advance(3 * 3_600)
  await logIn(acme, 'late@example.com', wrong, '203.0.113.2')

  await deleteExpiredThrottlesSchedule(app).run({
    inSystem: (work) => inSystem(app.systemDb, work),
    openTenant: async () => undefined,
    signal: new AbortController().signal,
    drainSignal: new AbortController().signal,
    log: { info() {}, warn() {}, error() {} },
  })

  const { rows } = await acme.sql('select count, pending from identity.auth_throttles')
  assert.deepEqual(
    rows,
    Array.from({ length: 5 }, () => ({ count: 1, pending: 0 })),
  )
})
