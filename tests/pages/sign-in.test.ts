import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { password } from '#testing'
import { field, signIn, startPages, untilSignedIn } from './visit.ts'

const { tenant, originOf, visitor } = await startPages()

test('somebody signs in, is greeted, and signs out again', async () => {
  const acme = await tenant()
  const { open, complaints } = await visitor()
  const page = await open(`${originOf(acme)}/login`)

  await signIn(page, acme.member.email, password)
  await untilSignedIn(page, `${acme.member.name} (${acme.member.email})`)
  const kept = JSON.parse(await page.evaluate("sessionStorage.getItem('tributary.session')"))
  const who = acme.bearer(`Bearer ${kept.access_token}`)
  const signedIn = (await who.get('/api/auth/me')).status
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()

  assert.equal(signedIn, 200)
  assert.equal((await who.get('/api/auth/me')).body.code, 'token_revoked')
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
  assert.deepEqual(complaints, [])
})

test('a wrong password is told in words, and can be corrected', async () => {
  const acme = await tenant()
  const { open, complaints } = await visitor()
  const page = await open(`${originOf(acme)}/login`)

  await signIn(page, acme.member.email, 'not the password')
  await page.getByRole('alert').filter({ hasText: 'The e-mail address or the password is not right.' }).waitFor()
  await signIn(page, acme.member.email, password)
  await untilSignedIn(page, acme.member.name)

  assert.equal(await page.getByRole('alert').textContent(), '')
  assert.deepEqual(complaints, [])
})

test('of two clicks one counts', async () => {
  const acme = await tenant()
  const { open, posted } = await visitor()
  const page = await open(`${originOf(acme)}/login`)
  await field(page, 'E-mail address').fill(acme.member.email)
  await field(page, 'Password').fill(password)

  await page.evaluate(
    `{ const form = document.querySelector('#sign-in form'); form.requestSubmit(); form.requestSubmit() }`,
  )
  await untilSignedIn(page, acme.member.name)

  assert.deepEqual(posted, ['/api/auth/login'])
})

test('a temporary password leads to a new one before anything else', async () => {
  const acme = await tenant()
  const { body } = await acme.admin.post('/api/users/', { email: 'ada@example.com', name: 'Ada', send_invite: false })
  const { open, complaints } = await visitor()
  const page = await open(`${originOf(acme)}/login`)

  await signIn(page, 'ada@example.com', body.temporary_password)
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  const focused = await page.evaluate('document.activeElement.name')
  await field(page, 'New password').fill('short')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByRole('alert').filter({ hasText: 'at least 12 characters' }).waitFor()
  const invalid = await field(page, 'New password').getAttribute('aria-invalid')
  await field(page, 'New password').fill('seven green bicycles')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await untilSignedIn(page, 'Ada')

  assert.equal(focused, 'new_password')
  assert.equal(invalid, 'true')
  assert.deepEqual(complaints, [])
})

test('there is a button for each provider that is switched on, and a sentence for each way it can fail', async () => {
  const acme = await tenant()
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'sso',
       '{"enforced": true, "okta": {"enabled": true, "issuer": "https://acme.okta.example", "client_id": "x"}}')`,
    [acme.id],
  )
  const { open, complaints } = await visitor()

  const page = await open(`${originOf(acme)}/login#sso_error=account_not_found`)
  const okta = page.getByRole('link', { name: 'Sign in with Okta' })
  await okta.waitFor()
  const strange = await open(`${originOf(acme)}/login#sso_error=<img src=x>`)
  await strange.getByRole('link', { name: 'Sign in with Okta' }).waitFor()
  const returning = await open(`${originOf(acme)}/login#return_to=/verify-email`)
  const back = returning.getByRole('link', { name: 'Sign in with Okta' })
  await back.waitFor()

  assert.equal(await okta.getAttribute('href'), '/api/auth/sso/okta?return_to=%2F')
  assert.equal(await back.getAttribute('href'), '/api/auth/sso/okta?return_to=%2Fverify-email')
  assert.equal(await page.getByRole('link', { name: 'Sign in with Google' }).count(), 0)
  assert.match((await page.getByRole('alert').textContent())!, /Ask an admin for an invitation/)
  assert.equal(await strange.getByRole('alert').textContent(), 'Single sign-on did not work. Try again.')
  assert.equal(new URL(page.url()).hash, '')
  assert.ok(await page.getByText('Only admins sign in with a password').isVisible())
  assert.equal(await page.getByRole('button', { name: 'Sign up' }).count(), 0)
  assert.deepEqual(complaints, [])
})

test('a click before the script is there is not lost', async () => {
  const acme = await tenant()
  const { context } = await visitor()
  await context.route('**/pages/*.js', async (route) => {
    await sleep(500)
    await route.continue()
  })
  const page = await context.newPage()

  await page.goto(`${originOf(acme)}/login`, { waitUntil: 'commit' })
  await signIn(page, acme.member.email, password)

  await untilSignedIn(page, acme.member.name)
})

test('without a script no password goes anywhere', async () => {
  const acme = await tenant()
  const { open, posted } = await visitor({ javaScriptEnabled: false })
  const page = await open(`${originOf(acme)}/login`)

  await field(page, 'E-mail address').fill(acme.member.email)
  await field(page, 'Password').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForTimeout(500)

  assert.equal(page.url(), `${originOf(acme)}/login`)
  assert.deepEqual(posted, [])
})
