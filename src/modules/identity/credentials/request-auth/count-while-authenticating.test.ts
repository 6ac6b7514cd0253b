import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestResponse } from '#testing'

const app = await startTestApp({ RATE_LIMIT_FACTOR: '1' })
app.clock.freeze()
const { limits, db } = app.services
const me = '/api/auth/me'

const remainingOf = ({ headers }: TestResponse): number[] =>
  [...headers.ratelimit.matchAll(/r=(\d+)/g)].map(([, remaining]) => Number(remaining))

/** Returns how many buckets each call of the limiter takes from. */
function recordTakes(context: TestContext): number[] {
  const takes: number[] = []
  const takeAll = limits.takeAll.bind(limits)
  context.mock.method(limits, 'takeAll', (...args: Parameters<typeof takeAll>) => {
    takes.push(args[0].length)
    return takeAll(...args)
  })
  return takes
}

test('a known caller is counted while the database authenticates it', async (context) => {
  const acme = await app.tenant()
  const before = await acme.member.get(me)
  const takeAll = limits.takeAll.bind(limits)
  context.mock.method(limits, 'takeAll', async (...args: Parameters<typeof takeAll>) => {
    await once(db.pool, 'acquire')
    return takeAll(...args)
  })

  const after = await acme.member.get(me)

  assert.equal(after.status, 200)
  assert.deepEqual(
    remainingOf(after),
    remainingOf(before).map((remaining) => remaining - 1),
  )
})

test('a known caller is counted once per request, whether the request is accepted or refused', async (context) => {
  const acme = await app.tenant()
  const first = await acme.viewer.get(me)
  const takes = recordTakes(context)

  const accepted = await acme.viewer.get(me)
  const refused = await acme.viewer.post('/api/teams/', { name: 'Sales' })
  const unknownPath = await acme.viewer.get('/api/nothing')
  const last = await acme.viewer.get(me)

  assert.deepEqual([accepted.status, refused.status, unknownPath.status], [200, 403, 404])
  const [session, user, tenant] = remainingOf(first)
  assert.deepEqual(remainingOf(last), [session! - 4, user! - 4, tenant! - 4])
  // Refused requests also count against the two buckets of the network.
  assert.deepEqual(takes, [3, 3, 2, 2, 3, 3])
})

test('a request that fails because the database is unavailable is not counted', async (context) => {
  const acme = await app.tenant()
  const before = await acme.member.get(me)
  const failure = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const connect = context.mock.method(db.pool, 'connect', () => Promise.reject(failure))

  const failed = await acme.member.get(me)
  connect.mock.restore()
  const after = await acme.member.get(me)

  assert.equal(failed.status, 503)
  assert.deepEqual(
    remainingOf(after),
    remainingOf(before).map((remaining) => remaining - 1),
  )
})

test('a known caller over its limit in another process gets 429 after one lookup, and a revoked one 401', async (context) => {
  const acme = await app.tenant()
  await acme.member.get(me)
  await acme.manager.get(me)
  const refuse = context.mock.method(limits, 'takeAll', async (buckets: { name: string }[]) =>
    buckets.map(({ name }) => ({ name, allowed: false, remaining: 0, resetSeconds: 7, policy: `"${name}"` })),
  )
  let lookups = 0
  db.pool.on('acquire', () => void lookups++)

  const overLimit = await acme.member.get(me)
  const lookupsOverLimit = lookups
  refuse.mock.restore()
  await acme.sql('update identity.sessions set revoked_at = now() where user_id = $1', [acme.manager.userId])
  const revoked = await acme.manager.get(me)

  assert.deepEqual([overLimit.status, overLimit.headers['retry-after'], lookupsOverLimit], [429, '7', 1])
  assert.equal(revoked.status, 401)
})
