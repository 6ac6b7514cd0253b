import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf } from './browser.fixture.ts'
import { patchSsoSettings, startSignOnApp } from './sso.fixture.ts'

const { acme, okta, newBrowser, startUrl, tenant } = await startSignOnApp()

/** Browsers that have signed in and not opened the callback yet. */
async function browsersAtCallback(logins: string[]) {
  const backs = []
  for (const login of logins) {
    const browser = newBrowser()
    backs.push({ browser, back: await browser.signOnUpToCallback(startUrl('okta'), login) })
  }
  return backs
}

const countRows = async (text: string, values: unknown[]) => (await acme.sql(text, values)).rows.length

test('one of five concurrent callbacks with the same state succeeds', async () => {
  okta.people.set('ada', { email: acme.member.email, email_verified: true })
  const [{ browser, back }] = (await browsersAtCallback(['ada'])) as [
    Awaited<ReturnType<typeof browsersAtCallback>>[number],
  ]

  const ends = await Promise.all(Array.from({ length: 5 }, () => browser.followFrom(back)))

  const codes = ends.filter((end) => end.pathname === '/auth/complete')
  const errors = ends.filter((end) => end.pathname === '/login').map((end) => fragmentOf(end).sso_error)
  assert.equal(codes.length, 1)
  assert.deepEqual(errors, Array(4).fill('flow_expired'))
})

test('concurrent first sign-ins of a user in several tabs create one account and all succeed', async () => {
  await patchSsoSettings(
    acme.admin,
    { jit_provisioning: true },
    { signup: { allowed_email_domains: ['elsewhere.example'] } },
  )
  for (let round = 0; round < 5; round++) {
    const login = `twin-${round}`
    const email = `${login}@elsewhere.example`
    okta.people.set(login, { email, email_verified: true })
    const backs = await browsersAtCallback([login, login, login])

    const ends = await Promise.all(backs.map(({ browser, back }) => browser.followFrom(back)))
    const responses = await Promise.all(
      ends.map((end, index) => backs[index]!.browser.exchange(acme.host, fragmentOf(end).code!)),
    )

    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal(new Set(responses.map(({ body }) => body.user.id)).size, 1)
    assert.equal(
      await countRows('select 1 from identity.users where tenant_id = $1 and email_key = $2', [acme.id, email]),
      1,
    )
    assert.equal(
      await countRows('select 1 from identity.user_identities where tenant_id = $1 and subject = $2', [acme.id, login]),
      1,
    )
  }
  await patchSsoSettings(acme.admin, { jit_provisioning: false })
})

test('one of two subjects with the same email address is linked in concurrent sign-ins', async () => {
  const owner = await acme.person('member')
  for (const login of ['left', 'right']) okta.people.set(login, { email: owner.email, email_verified: true })
  const backs = await browsersAtCallback(['left', 'right'])

  const ends = await Promise.all(backs.map(({ browser, back }) => browser.followFrom(back)))

  assert.deepEqual(ends.map(({ pathname }) => pathname).sort(), ['/auth/complete', '/login'])
  assert.equal(await countRows('select 1 from identity.user_identities where user_id = $1', [owner.userId]), 1)
})

test('deactivating a user during concurrent linking leaves no active session', async () => {
  for (let round = 0; round < 5; round++) {
    const owner = await acme.person('member')
    await acme.sql('update identity.users set email_verified_at = null where id = $1', [owner.userId])
    okta.people.set(owner.email, { email: owner.email, email_verified: true })
    const [pending] = await browsersAtCallback([owner.email])

    const [end, deactivated] = await Promise.all([
      pending!.browser.followFrom(pending!.back),
      acme.admin.patch(`/api/users/${owner.userId}`, { status: 'deactivated' }),
    ])
    const { code } = fragmentOf(end)
    const exchanged = code ? (await pending!.browser.exchange(acme.host, code)).status : 401

    assert.equal(deactivated.status, 200)
    assert.equal(exchanged, 401)
    assert.equal(
      await countRows('select 1 from identity.sessions where user_id = $1 and revoked_at is null', [owner.userId]),
      0,
    )
  }
})

test('a state of one workspace is rejected in another workspace', async () => {
  const beta = await tenant()
  const [{ back }] = (await browsersAtCallback(['ada'])) as [Awaited<ReturnType<typeof browsersAtCallback>>[number]]
  const { rows } = await acme.sql('select id from identity.sso_flows where tenant_id = $1 and used_at is null', [
    acme.id,
  ])

  const elsewhere = await beta.anonymous.get(`${back.pathname}${back.search}`)

  assert.equal(elsewhere.status, 400)
  const after = await acme.sql('select id from identity.sso_flows where tenant_id = $1 and used_at is null', [acme.id])
  assert.deepEqual(after.rows, rows)
})
