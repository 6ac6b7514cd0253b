import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { createTaggedTokens, generateSecretToken, hashToken } from '#platform/secrets'
import { startTestApp, type TestResponse } from '#testing'
import type { ManagedRequestAuthenticator } from './authenticate-request.ts'

// A tenth of the limits: 20 requests at once per network, 200 per prefix, 30 per session, 150 per user.
const app = await startTestApp({ RATE_LIMIT_FACTOR: '0.1' })
app.clock.freeze()
const networkBurst = 20
const me = '/api/auth/me'
const providers = '/api/auth/sso/providers'

type Tenant = Awaited<ReturnType<typeof app.tenant>>
let networks = 0
/** Returns an IP address in a network prefix that no other test uses. */
const newIp = () => `203.0.${++networks}.7`

async function repeat(times: number, send: (n: number) => Promise<TestResponse>): Promise<number[]> {
  const statuses = []
  for (let n = 0; n < times; n++) statuses.push((await send(n)).status)
  return statuses
}

/** Returns the number of database connections that the requests in `work` took. */
async function countCheckouts(work: () => Promise<unknown>): Promise<number> {
  await (app.services.authenticator as ManagedRequestAuthenticator).flush()
  let checkouts = 0
  const count = () => void checkouts++
  app.services.db.pool.on('acquire', count)
  await work()
  app.services.db.pool.off('acquire', count)
  return checkouts
}

const exhaustNetwork = (acme: Tenant, ip: string) =>
  repeat(networkBurst, () => acme.anonymous.with({ remoteAddress: ip }).get(me))

const floods: Record<string, (acme: Tenant, ip: string, n: number) => Promise<TestResponse>> = {
  'unknown workspaces': (_, ip, n) => app.client({ host: `w${n}.${app.domain}`, remoteAddress: ip }).get('/api/leads/'),
  'hosts of other domains': (_, ip, n) => app.client({ host: `w${n}.example`, remoteAddress: ip }).get('/api/leads/'),
  'routes that do not exist': (acme, ip) => acme.anonymous.with({ remoteAddress: ip }).get('/api/nothing'),
  'requests without a credential': (acme, ip) => acme.anonymous.with({ remoteAddress: ip }).get('/api/leads/'),
  'invalid credentials': (acme, ip, n) => acme.bearer(`Bearer a.b.${n}`).with({ remoteAddress: ip }).get(me),
  'malformed credentials': (acme, ip) => acme.bearer('Basic YTpi').with({ remoteAddress: ip }).get(me),
  'valid credentials at unknown workspaces': (acme, ip, n) =>
    acme.member.with({ host: `v${n}.${app.domain}`, remoteAddress: ip }).get(me),
}

for (const [name, send] of Object.entries(floods)) {
  test(`a flood of ${name} gets 429 and does not reach the database`, async () => {
    const acme = await app.tenant()
    const ip = newIp()

    const refused = await repeat(networkBurst, (n) => send(acme, ip, n))
    let flood: number[] = []
    const checkouts = await countCheckouts(async () => {
      flood = await repeat(30, (n) => send(acme, ip, networkBurst + n))
    })
    const last = await send(acme, ip, 100)
    const elsewhere = await acme.viewer.with({ remoteAddress: newIp() }).get(me)

    assert.ok(
      refused.every((status) => status === 401 || status === 404),
      refused.join(),
    )
    assert.deepEqual(new Set(flood), new Set([429]))
    assert.equal(checkouts, 0)
    assert.equal(last.body.code, 'rate_limited')
    assert.ok(Number(last.headers['retry-after']) >= 1)
    assert.equal(last.headers.connection, 'close')
    assert.equal(elsewhere.status, 200)
  })
}

test('concurrent requests to unknown workspaces reach the database only as often as the limit allows', async () => {
  const ip = newIp()
  const send = (n: number) => app.client({ host: `c${n}.${app.domain}`, remoteAddress: ip }).get(providers)

  const checkouts = await countCheckouts(() => Promise.all(Array.from({ length: 100 }, (_, n) => send(n))))

  assert.equal(checkouts, networkBurst)
})

test('concurrent requests without a credential share a lookup of their workspace', async () => {
  const acme = await app.tenant()
  const anonymous = acme.anonymous.with({ remoteAddress: newIp() })

  const checkouts = await countCheckouts(() =>
    Promise.all(Array.from({ length: networkBurst }, () => anonymous.get(me))),
  )

  assert.ok(checkouts < networkBurst / 2, `${checkouts}`)
})

test('refused requests of a network do not block its known sessions and API keys, but new ones', async () => {
  const acme = await app.tenant()
  const ip = newIp()
  const { key } = (await acme.admin.post('/api/api-keys', { name: 'Machine', scopes: ['users.read'] })).body
  const callers = [acme.member, acme.bearer(`ApiKey ${key}`)].map((caller) => caller.with({ remoteAddress: ip }))
  for (const caller of callers) assert.equal((await caller.get(me)).status, 200)

  await exhaustNetwork(acme, ip)
  const known = await Promise.all(callers.map((caller) => caller.get(me)))
  const unknown = await acme.manager.with({ remoteAddress: ip }).get(me)
  const anonymous = await acme.anonymous.with({ remoteAddress: ip }).get(providers)
  app.clock.advance(60)
  const later = await acme.manager.with({ remoteAddress: ip }).get(me)

  assert.deepEqual(
    known.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual([unknown.status, anonymous.status, later.status], [429, 429, 200])
})

test('accepted requests do not use up the limit of their network', async () => {
  const acme = await app.tenant()
  const ip = newIp()
  const sessions = await Promise.all(Array.from({ length: networkBurst + 5 }, () => acme.signIn(acme.member.userId)))

  const statuses = await repeat(sessions.length, (n) => sessions[n]!.with({ remoteAddress: ip }).get(me))

  assert.deepEqual(new Set(statuses), new Set([200]))
})

test('a revoked session is no longer known', async () => {
  const acme = await app.tenant()
  const member = acme.member.with({ remoteAddress: newIp() })
  await member.post('/api/auth/logout')

  const statuses = await repeat(networkBurst + 5, () => member.get(me))

  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429])
})

test('requests that a caller is not allowed to make count against the caller and the network', async () => {
  const acme = await app.tenant()
  const ip = newIp()
  const viewer = acme.viewer.with({ remoteAddress: ip })

  const forbidden = await repeat(networkBurst, () => viewer.post('/api/teams/', { name: 'Sales' }))
  const anonymous = await acme.anonymous.with({ remoteAddress: ip }).get(providers)
  const more = await repeat(15, () => viewer.post('/api/teams/', { name: 'Sales' }))
  const checkouts = await countCheckouts(() => viewer.post('/api/teams/', { name: 'Sales' }))

  assert.deepEqual(new Set(forbidden), new Set([403]))
  assert.equal(anonymous.status, 429)
  assert.deepEqual(more, [...Array.from({ length: 10 }, () => 403), ...Array.from({ length: 5 }, () => 429)])
  assert.equal(checkouts, 0)
})

test('the networks of a /48 or /24 prefix share a wider limit', async () => {
  const acme = await app.tenant()
  const send = (ip: string) => acme.anonymous.with({ remoteAddress: ip }).get('/api/nothing')

  const statuses = await repeat(200, (n) => send(`2001:db8:7:${n.toString(16)}::1`))
  const samePrefix = await send('2001:db8:7:ffff::1')
  const otherPrefix = await send('2001:db8:8::1')

  assert.deepEqual(new Set(statuses), new Set([404]))
  assert.deepEqual([samePrefix.status, otherPrefix.status], [429, 404])
})

test('the sessions and API keys of a user share a limit that leaves room for other users', async () => {
  const acme = await app.tenant()
  const { userId } = acme.member
  const keys = await Promise.all(
    ['One', 'Two'].map(
      async (name) => (await acme.member.post('/api/api-keys', { name, scopes: ['users.read'] })).body,
    ),
  )
  const sessions = await Promise.all(Array.from({ length: 3 }, () => acme.signIn(userId)))
  const callers = [...sessions, ...keys.map(({ key }) => acme.bearer(`ApiKey ${key}`)), acme.member]

  const statuses = []
  for (const caller of callers) statuses.push(...(await repeat(30, () => caller.get(me))))
  const last = await sessions[0]!.get(me)
  const colleague = await acme.viewer.get(me)

  assert.equal(statuses.filter((status) => status === 200).length, 148)
  assert.match(last.headers.ratelimit, /"user";r=0/)
  assert.equal(colleague.status, 200)
})

test('an unknown workspace is looked up at most every five seconds, and found after it was created', async () => {
  const slug = 'opened-later'
  const get = () => app.client({ host: `${slug}.${app.domain}`, remoteAddress: newIp() }).get(providers)
  const first = await get()
  const checkouts = await countCheckouts(get)

  await app.tenant({ slug })
  app.clock.advance(6)
  const created = await get()

  assert.deepEqual([first.status, first.body.code, checkouts], [404, 'tenant_not_found', 0])
  assert.equal(created.status, 200)
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const oneClick = 'List-Unsubscribe=One-Click'

/** Inserts a sent email and returns the token of its unsubscribe link. */
async function sendEmail(acme: Tenant, token: string): Promise<string> {
  await acme.sql(
    `insert into crm.email_messages (tenant_id, id, kind, ref_id, to_address, to_key, state, run_at, unsubscribe_token_hash)
     values ($1, $2, 'room_link', $2, 'ada@customer.example', 'ada@customer.example', 'sent', now(), $3)`,
    [acme.id, newId(), hashToken(token)],
  )
  return token
}

async function shareLinks(acme: Tenant) {
  const survey = (await acme.member.post('/api/surveys/', { name: 'Survey', survey_type: 'nps' })).body
  await acme.member.patch(`/api/surveys/${survey.id}`, { status: 'active' })
  const link = (await acme.member.post(`/api/surveys/${survey.id}/link`, {})).body
  const room = (await acme.member.post('/api/enablement/rooms/', { name: 'Room' })).body
  await acme.member.post(`/api/enablement/rooms/${room.id}/content`, { kind: 'text', title: 'Hello', body: 'Welcome' })
  await acme.member.patch(`/api/enablement/rooms/${room.id}`, { status: 'active' })
  const tokens = createTaggedTokens(app.config.SIGNING_KEYS, 'unsubscribe links')
  return {
    survey: new URL(link.url).pathname,
    room: `/r/${room.share.share_token}`,
    token: await sendEmail(acme, tokens.generate(acme.slug)),
    oldToken: await sendEmail(acme, generateSecretToken()),
  }
}

test('wrong links of one workspace block neither the links of others in the same network nor its own opt-outs', async () => {
  const [acme, globex] = [await app.tenant(), await app.tenant()]
  const [ofAcme, ofGlobex] = [await shareLinks(acme), await shareLinks(globex)]
  const ip = newIp()
  const [toAcme, toGlobex] = [acme, globex].map(({ anonymous }) => anonymous.with({ remoteAddress: ip }))
  const floodedPaths = ['/api/public/click/', '/api/public/open/', '/unsubscribe/', '/s/', '/r/']
  const guess = (path: string) => toAcme!.get(path + generateSecretToken())
  const optOut = async (client: typeof toAcme, token: string) => [
    (await client!.get(`/unsubscribe/${token}`)).status,
    (await client!.post(`/unsubscribe/${token}`, oneClick, form)).status,
    (await client!.post(`/api/public/unsubscribe/${token}`)).status,
  ]

  const flood = await Promise.all(floodedPaths.flatMap((path) => Array.from({ length: 30 }, () => guess(path))))
  const last = await Promise.all(floodedPaths.map(guess))
  const optOuts = [
    ...(await optOut(toAcme, ofAcme.token)),
    ...(await optOut(toGlobex, ofGlobex.token)),
    ...(await optOut(toGlobex, ofGlobex.oldToken)),
  ]
  const pages = await Promise.all([ofGlobex.survey, ofGlobex.room].map((path) => toGlobex!.get(path)))
  const refused = await toAcme!.get(ofAcme.survey)

  assert.ok(flood.every(({ status }) => [200, 404, 429].includes(status)))
  assert.deepEqual(
    last.map(({ status }) => status),
    floodedPaths.map(() => 429),
  )
  assert.deepEqual(optOuts, new Array(9).fill(200))
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(refused.status, 429)
})

test('an opt-out is not refused in a network without requests left, and a token of another workspace is', async () => {
  const [acme, globex] = [await app.tenant(), await app.tenant()]
  const { token } = await shareLinks(acme)
  const ip = newIp()
  await exhaustNetwork(acme, ip)
  const guess = () => acme.anonymous.with({ remoteAddress: ip }).post(`/unsubscribe/${generateSecretToken()}`, '', form)
  assert.equal((await repeat(networkBurst + 1, guess)).at(-1), 429)
  const post = (workspace: Tenant, value: string) =>
    workspace.anonymous.with({ remoteAddress: ip }).post(`/unsubscribe/${value}`, oneClick, form)

  const statuses = [(await post(acme, token)).status, (await post(globex, token)).status]
  const { rows } = await acme.sql(`select reason from crm.suppressions where tenant_id = $1`, [acme.id])

  assert.deepEqual(statuses, [200, 404])
  assert.deepEqual(rows, [{ reason: 'unsubscribed' }])
})
