import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf } from './browser.fixture.ts'
import { countSessions, startSignOnApp } from './sso.fixture.ts'

const { acme, okta, newBrowser, startUrl, tenant, clock } = await startSignOnApp()

/** Somebody who came back from Okta and has not exchanged the code yet. */
async function arrive(email = acme.member.email, query = '') {
  okta.people.set(email, { email, email_verified: true })
  const browser = newBrowser()
  const end = await browser.signOn(startUrl('okta', query), email)
  assert.equal(end.pathname, '/auth/complete', end.href)
  const { code = '' } = fragmentOf(end)
  return { browser, code, exchange: (headers = {}) => browser.exchange(acme.host, code, headers) }
}

const refused = (answer: { status: number; body: { code: string } }) => [answer.status, answer.body.code]

test('a second use of a code ends what the first one got', async () => {
  const { exchange } = await arrive()
  const first = await exchange()
  const other = await arrive()
  const untouched = await other.exchange()

  assert.deepEqual(refused(await exchange()), [401, 'invalid_code'])

  const me = await acme.bearer(`Bearer ${first.body.access_token}`).get('/api/auth/me')
  assert.deepEqual(refused(me), [401, 'token_revoked'])
  const refresh = await acme.anonymous.post('/api/auth/refresh', { refresh_token: first.body.refresh_token })
  assert.deepEqual(refused(refresh), [401, 'token_revoked'])
  assert.equal((await acme.bearer(`Bearer ${untouched.body.access_token}`).get('/api/auth/me')).status, 200)
  const { rows } = await acme.sql(
    `select reason from platform.audit_log where tenant_id = $1 and action = 'session.revoked'`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ reason: 'sso_code_reuse' }])
})

test('of two who exchange a code at the same time none is left with it', async () => {
  for (let turn = 0; turn < 10; turn++) {
    const { exchange } = await arrive()
    const answers = await Promise.all([exchange(), exchange()])

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
    const won = answers.find(({ status }) => status === 200)!
    const me = await acme.bearer(`Bearer ${won.body.access_token}`).get('/api/auth/me')
    assert.deepEqual(refused(me), [401, 'token_revoked'])
  }
})

test('a code is worth nothing in another browser, another tab, or another workspace', async () => {
  const { browser, code, exchange } = await arrive()
  const tab = await arrive()
  const beta = await tenant()
  const before = await countSessions(acme, 'okta')

  assert.deepEqual(refused(await newBrowser().exchange(acme.host, code)), [401, 'invalid_code'])
  assert.deepEqual(refused(await tab.browser.exchange(acme.host, code)), [401, 'invalid_code'])
  const cookie = browser.cookies(acme.host)
  const foreign = await beta.anonymous.post('/api/auth/sso/exchange', { code }, { cookie })
  assert.deepEqual(refused(foreign), [401, 'invalid_code'])
  const tampered = cookie.replace(/=./, (start) => (start === '=A' ? '=B' : '=A'))
  assert.deepEqual(refused(await exchange({ cookie: tampered })), [401, 'invalid_code'])
  assert.equal(await countSessions(acme, 'okta'), before)
  assert.equal((await exchange({ cookie: `other=1; ${cookie}; more=2` })).status, 200)
})

test('two tabs of one browser do not get in each other’s way', async () => {
  const browser = newBrowser()
  const one = await browser.signOnUpToCallback(startUrl('okta'), acme.member.email)
  const two = await browser.signOnUpToCallback(startUrl('okta'), acme.member.email)
  const codes = [await browser.goOn(two), await browser.goOn(one)].map((end) => fragmentOf(end).code!)

  for (const code of codes) assert.equal((await browser.exchange(acme.host, code)).status, 200)
})

test('what is no code is refused before anything is asked', async () => {
  for (const body of [
    {},
    { code: 'short' },
    { code: 'x'.repeat(44) },
    { code: 'x'.repeat(43), more: 1 },
    { code: null },
  ])
    assert.equal((await acme.anonymous.post('/api/auth/sso/exchange', body)).status, 422)
  const unknown = await acme.anonymous.post('/api/auth/sso/exchange', { code: 'x'.repeat(43) })
  assert.deepEqual(refused(unknown), [401, 'invalid_code'])
})

test('whoever is shut out, or whose password changes, between the two steps does not get in', async () => {
  const someone = await acme.person('member')
  const shut = await arrive(someone.email)
  await acme.admin.patch(`/api/users/${someone.userId}`, { status: 'deactivated' })
  assert.deepEqual(refused(await shut.exchange()), [401, 'invalid_code'])

  const other = await acme.person('member')
  const changed = await arrive(other.email)
  await acme.sql('update identity.user_credentials set password_changed_at = now() where user_id = $1', [other.userId])
  assert.deepEqual(refused(await changed.exchange()), [401, 'invalid_code'])
  assert.deepEqual(refused(await changed.exchange()), [401, 'invalid_code'])
})

test('shutting an account and exchanging its code at the same time leaves nobody signed in', async () => {
  for (let turn = 0; turn < 10; turn++) {
    const someone = await acme.person('member')
    const { exchange } = await arrive(someone.email)
    const [exchanged, shut] = await Promise.all([
      exchange(),
      acme.admin.patch(`/api/users/${someone.userId}`, { status: 'deactivated' }),
    ])

    assert.equal(shut.status, 200)
    assert.ok([200, 401].includes(exchanged.status), exchanged.text)
    const { rows } = await acme.sql('select id from identity.sessions where user_id = $1 and revoked_at is null', [
      someone.userId,
    ])
    assert.deepEqual(rows, [])
  }
})

test('a code lives for a minute', async () => {
  const { exchange } = await arrive()
  clock.advance(61)

  assert.deepEqual(refused(await exchange()), [401, 'invalid_code'])
})

test('no table holds a code or the secret of a browser', async () => {
  const { browser, code, exchange } = await arrive()
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
