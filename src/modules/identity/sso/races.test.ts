import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf } from './browser.fixture.ts'
import { change, startSignOnApp } from './sso.fixture.ts'

const { acme, okta, newBrowser, startUrl, tenant } = await startSignOnApp()

/** Several browsers that are about to come back. */
async function aboutToReturn(logins: string[]) {
  const backs = []
  for (const login of logins) {
    const browser = newBrowser()
    backs.push({ browser, back: await browser.signOnUpToCallback(startUrl('okta'), login) })
  }
  return backs
}

const numberOf = async (text: string, values: unknown[]) => (await acme.sql(text, values)).rows.length

test('of five who come back with one state at once exactly one arrives', async () => {
  okta.people.set('ada', { email: acme.member.email, email_verified: true })
  const [{ browser, back }] = (await aboutToReturn(['ada'])) as [Awaited<ReturnType<typeof aboutToReturn>>[number]]

  const ends = await Promise.all(Array.from({ length: 5 }, () => browser.goOn(back)))

  const codes = ends.filter((end) => end.pathname === '/auth/complete')
  const errors = ends.filter((end) => end.pathname === '/login').map((end) => fragmentOf(end).sso_error)
  assert.equal(codes.length, 1)
  assert.deepEqual(errors, Array(4).fill('flow_expired'))
})

test('somebody who signs on for the first time in several tabs gets one account, and gets in by each', async () => {
  await change(acme.admin, { jit_provisioning: true })
  for (let turn = 0; turn < 5; turn++) {
    const login = `twin-${turn}`
    const email = `${login}@elsewhere.example`
    okta.people.set(login, { email, email_verified: true })
    const backs = await aboutToReturn([login, login, login])

    const ends = await Promise.all(backs.map(({ browser, back }) => browser.goOn(back)))
    const answers = await Promise.all(
      ends.map((end, index) => backs[index]!.browser.exchange(acme.host, fragmentOf(end).code!)),
    )

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal(new Set(answers.map(({ body }) => body.user.id)).size, 1)
    assert.equal(
      await numberOf('select 1 from identity.users where tenant_id = $1 and email_key = $2', [acme.id, email]),
      1,
    )
    assert.equal(
      await numberOf('select 1 from identity.user_identities where tenant_id = $1 and subject = $2', [acme.id, login]),
      1,
    )
  }
  await change(acme.admin, { jit_provisioning: false })
})

test('of two subjects with one address that come at once one gets the account', async () => {
  const owner = await acme.person('member')
  for (const login of ['left', 'right']) okta.people.set(login, { email: owner.email, email_verified: true })
  const backs = await aboutToReturn(['left', 'right'])

  const ends = await Promise.all(backs.map(({ browser, back }) => browser.goOn(back)))

  assert.deepEqual(ends.map(({ pathname }) => pathname).sort(), ['/auth/complete', '/login'])
  assert.equal(await numberOf('select 1 from identity.user_identities where user_id = $1', [owner.userId]), 1)
})

test('linking and shutting an account at the same time ends in a shut account without sessions', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const owner = await acme.person('member')
    await acme.sql('update identity.users set email_verified_at = null where id = $1', [owner.userId])
    okta.people.set(owner.email, { email: owner.email, email_verified: true })
    const [arriving] = await aboutToReturn([owner.email])

    const [end, shut] = await Promise.all([
      arriving!.browser.goOn(arriving!.back),
      acme.admin.patch(`/api/users/${owner.userId}`, { status: 'deactivated' }),
    ])
    const { code } = fragmentOf(end)
    const exchanged = code ? (await arriving!.browser.exchange(acme.host, code)).status : 401

    assert.equal(shut.status, 200)
    assert.equal(exchanged, 401)
    assert.equal(
      await numberOf('select 1 from identity.sessions where user_id = $1 and revoked_at is null', [owner.userId]),
      0,
    )
  }
})

test('a state of one workspace opens nothing in another, also where both have the same provider', async () => {
  const beta = await tenant()
  const [{ back }] = (await aboutToReturn(['ada'])) as [Awaited<ReturnType<typeof aboutToReturn>>[number]]
  const { rows } = await acme.sql('select id from identity.sso_flows where tenant_id = $1 and used_at is null', [
    acme.id,
  ])

  const elsewhere = await beta.anonymous.get(`${back.pathname}${back.search}`)

  assert.equal(elsewhere.status, 400)
  const after = await acme.sql('select id from identity.sso_flows where tenant_id = $1 and used_at is null', [acme.id])
  assert.deepEqual(after.rows, rows)
})
