import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { newcomer, openDoor, type Tenant } from './sign-up.fixture.ts'

const app = await startTestApp({ RATE_LIMIT_FACTOR: '1' })
const unique = () => `ada-${randomUUID()}@example.com`
const tryFrom = (acme: Tenant, ip: string) =>
  acme.anonymous.with({ remoteAddress: ip }).post('/api/auth/signup', { email: unique() })

test('one address signs up ten people an hour, in whichever workspace', async () => {
  const [acme, beta] = [await openDoor(app), await openDoor(app)]

  const statuses = []
  for (let n = 0; n < 10; n++) statuses.push((await tryFrom(n % 2 ? acme : beta, '203.0.113.1')).status)
  const tooMany = await tryFrom(acme, '203.0.113.1')
  const elsewhere = await tryFrom(acme, '203.0.113.2')

  assert.deepEqual(new Set(statuses), new Set([422]))
  assert.deepEqual([tooMany.status, tooMany.body.code], [429, 'rate_limited'])
  assert.match(tooMany.headers['ratelimit-policy'], /"signup";q=10;w=3600, "signup_tenant";q=200;w=86400/)
  assert.equal(elsewhere.status, 422)
})

test('a workspace takes two hundred tries a day, from however many addresses; others are not touched by it', async () => {
  const [acme, beta] = [await openDoor(app), await openDoor(app)]

  const statuses = new Set<number>()
  for (let n = 0; n < 200; n++) statuses.add((await tryFrom(acme, `198.51.100.${n}`)).status)
  const tooMany = await tryFrom(acme, '198.51.100.250')
  const elsewhere = await tryFrom(beta, '198.51.100.251')

  assert.deepEqual(statuses, new Set([422]))
  assert.equal(tooMany.status, 429)
  assert.ok(Number(tooMany.headers['retry-after']) > 60)
  assert.equal(elsewhere.status, 422)
})

test('somebody is sent the link three times an hour, and another person is not kept from theirs', async () => {
  const acme = await openDoor(app)
  const [ada, grace] = [await newcomer(acme, unique()), await newcomer(acme, unique())]
  const resend = async (who: typeof ada) => (await who.post('/api/auth/resend-verification')).status

  const statuses = []
  for (let n = 0; n < 4; n++) statuses.push(await resend(ada))

  assert.deepEqual(statuses, [200, 200, 200, 429])
  assert.equal(await resend(grace), 200)
})
