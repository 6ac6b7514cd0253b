import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf } from './browser.fixture.ts'
import { countSessions, startSignOnApp } from './sso.fixture.ts'

const { acme, okta, newBrowser, startUrl, tenant, clock } = await startSignOnApp()

/** Signs in at Okta up to the point where the browser has a code. */
async function signInUpToCode(email = acme.member.email, query = '') {
  okta.people.set(email, { email, email_verified: true })
  const browser = newBrowser()
  const end = await browser.signOn(startUrl('okta', query), email)
  assert.equal(end.pathname, '/auth/complete', end.href)
  const { code = '' } = fragmentOf(end)
  return { browser, code, exchange: (headers = {}) => browser.exchange(acme.host, code, headers) }
}

const errorOf = (response: { status: number; body: { code: string } }) => [response.status, response.body.code]

test('a second use of a code revokes the session of the first', async () => {
  const { exchange } = await signInUpToCode()
  const first = await exchange()
  const other = await signInUpToCode()
  const otherSession = await other.exchange()

  assert.deepEqual(errorOf(await exchange()), [401, 'invalid_code'])

  const me = await acme.bearer(`Bearer ${first.body.access_token}`).get('/api/auth/me')
  assert.deepEqual(errorOf(me), [401, 'token_revoked'])
  const refresh = await acme.anonymous.post('/api/auth/refresh', { refresh_token: first.body.refresh_token })
  assert.deepEqual(errorOf(refresh), [401, 'token_revoked'])
  assert.equal((await acme.bearer(`Bearer ${otherSession.body.access_token}`).get('/api/auth/me')).status, 200)
  const { rows } = await acme.sql(
    `select reason from platform.audit_log where tenant_id = $1 and action = 'session.revoked'`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ reason: 'sso_code_reuse' }])
})

test('two concurrent exchanges of a code leave no valid session', async () => {
  for (let round = 0; round < 10; round++) {
    const { exchange } = await signInUpToCode()
    const responses = await Promise.all([exchange(), exchange()])

    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401])
    const succeeded = responses.find(({ status }) => status === 200)!
    const me = await acme.bearer(`Bearer ${succeeded.body.access_token}`).get('/api/auth/me')
    assert.deepEqual(errorOf(me), [401, 'token_revoked'])
  }
})

test('a code is rejected in another browser, another flow or another workspace', async () => {
  const { browser, code, exchange } = await signInUpToCode()
  const tab = await signInUpToCode()
  const beta = await tenant()
  const before = await countSessions(acme, 'okta')

  assert.deepEqual(errorOf(await newBrowser().exchange(acme.host, code)), [401, 'invalid_code'])
  assert.deepEqual(errorOf(await tab.browser.exchange(acme.host, code)), [401, 'invalid_code'])
  const cookie = browser.cookies(acme.host)
  const foreign = await beta.anonymous.post('/api/auth/sso/exchange', { code }, { cookie })
  assert.deepEqual(errorOf(foreign), [401, 'invalid_code'])
  const tampered = cookie.replace(/=./, (start) => (start === '=A' ? '=B' : '=A'))
  assert.deepEqual(errorOf(await exchange({ cookie: tampered })), [401, 'invalid_code'])
  assert.equal(await countSessions(acme, 'okta'), before)
  assert.equal((await exchange({ cookie: `other=1; ${cookie}; more=2` })).status, 200)
})

test('two tabs of one browser can sign in independently', async () => {
  const browser = newBrowser()
  const one = await browser.signOnUpToCallback(startUrl('okta'), acme.member.email)
  const two = await browser.signOnUpToCallback(startUrl('okta'), acme.member.email)
  const codes = [await browser.followFrom(two), await browser.followFrom(one)].map((end) => fragmentOf(end).code!)

  for (const code of codes) assert.equal((await browser.exchange(acme.host, code)).status, 200)
})

test('malformed and unknown codes are rejected', async () => {
  for (const body of [
    {},
    { code: 'short' },
    { code: 'x'.repeat(44) },
    { code: 'x'.repeat(43), more: 1 },
    { code: null },
  ])
    assert.equal((await acme.anonymous.post('/api/auth/sso/exchange', body)).status, 422)
  const unknown = await acme.anonymous.post('/api/auth/sso/exchange', { code: 'x'.repeat(43) })
  assert.deepEqual(errorOf(unknown), [401, 'invalid_code'])
})

test('a user who is deactivated or whose password changes before the exchange is rejected', async () => {
  const user = await acme.person('member')
  const deactivated = await signInUpToCode(user.email)
  await acme.admin.patch(`/api/users/${user.userId}`, { status: 'deactivated' })
  assert.deepEqual(errorOf(await deactivated.exchange()), [401, 'invalid_code'])

  const other = await acme.person('member')
  const changed = await signInUpToCode(other.email)
  await acme.sql('update identity.user_credentials set password_changed_at = now() where user_id = $1', [other.userId])
  assert.deepEqual(errorOf(await changed.exchange()), [401, 'invalid_code'])
  assert.deepEqual(errorOf(await changed.exchange()), [401, 'invalid_code'])
})

test('deactivating a user during a concurrent exchange leaves no active session', async () => {
  for (let round = 0; round < 10; round++) {
    const user = await acme.person('member')
    const { exchange } = await signInUpToCode(user.email)
    const [exchanged, deactivated] = await Promise.all([
      exchange(),
      acme.admin.patch(`/api/users/${user.userId}`, { status: 'deactivated' }),
    ])

    assert.equal(deactivated.status, 200)
    assert.ok([200, 401].includes(exchanged.status), exchanged.text)
    const { rows } = await acme.sql('select id from identity.sessions where user_id = $1 and revoked_at is null', [
      user.userId,
    ])
    assert.deepEqual(rows, [])
  }
})

test('a code expires after one minute', async () => {
  const { exchange } = await signInUpToCode()
  clock.advance(61)

  assert.deepEqual(errorOf(await exchange()), [401, 'invalid_code'])
})

test('no table contains a code or a browser secret', async () => {
  const { browser, code, exchange } = await signInUpToCode()
  const secret = browser.cookies(acme.host).split('=')[1]!
  assert.match(secret, /^[\w-]{43}$/)
  await exchange()
  const { rows } = await acme.sql(
    `select to_jsonb(t)::text as row from identity.one_time_tokens t where tenant_id = $1
     union all select to_jsonb(f)::text from identity.sso_flows f where tenant_id = $1
     union all select to_jsonb(a)::text from platform.audit_log a where tenant_id = $1
     union all select to_jsonb(o)::text from platform.outbox_events o where tenant_id = $1`,
    [acme.id],
  )

  assert.ok(rows.length > 0)
  assert.deepEqual(
    rows.filter(({ row }) => row.includes(code) || row.includes(secret)),
    [],
  )
})
