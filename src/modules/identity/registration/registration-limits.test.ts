import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createSignupTenant, type SignupTenant, signUpUser } from './sign-up.fixture.ts'

const app = await startTestApp({ RATE_LIMIT_FACTOR: '1' })
const unique = () => `ada-${randomUUID()}@example.com`
const signUpFrom = (acme: SignupTenant, ip: string) =>
  acme.anonymous.with({ remoteAddress: ip }).post('/api/auth/signup', { email: unique() })

test('an IP address can sign up ten times per hour across all workspaces', async () => {
  const [acme, beta] = [await createSignupTenant(app), await createSignupTenant(app)]

  const statuses = []
  for (let n = 0; n < 10; n++) statuses.push((await signUpFrom(n % 2 ? acme : beta, '203.0.113.1')).status)
  const tooMany = await signUpFrom(acme, '203.0.113.1')
  const elsewhere = await signUpFrom(acme, '203.0.113.2')

  assert.deepEqual(new Set(statuses), new Set([422]))
  assert.deepEqual([tooMany.status, tooMany.body.code], [429, 'rate_limited'])
  assert.match(tooMany.headers['ratelimit-policy'], /"signup";q=10;w=3600, "signup_tenant";q=200;w=86400/)
  assert.equal(elsewhere.status, 422)
})

test('a workspace accepts 200 sign-up attempts per day from all IP addresses; other workspaces are not affected', async () => {
  const [acme, beta] = [await createSignupTenant(app), await createSignupTenant(app)]

  const statuses = new Set<number>()
  for (let n = 0; n < 200; n++) statuses.add((await signUpFrom(acme, `198.51.100.${n}`)).status)
  const tooMany = await signUpFrom(acme, '198.51.100.250')
  const elsewhere = await signUpFrom(beta, '198.51.100.251')

  assert.deepEqual(statuses, new Set([422]))
  assert.equal(tooMany.status, 429)
  assert.ok(Number(tooMany.headers['retry-after']) > 60)
  assert.equal(elsewhere.status, 422)
})

test('a user can resend the verification email three times per hour, independently of other users', async () => {
  const acme = await createSignupTenant(app)
  const [ada, grace] = [await signUpUser(acme, unique()), await signUpUser(acme, unique())]
  const resend = async (user: typeof ada) => (await user.post('/api/auth/resend-verification')).status

  const statuses = []
  for (let n = 0; n < 4; n++) statuses.push(await resend(ada))

  assert.deepEqual(statuses, [200, 200, 200, 429])
  assert.equal(await resend(grace), 200)
})
