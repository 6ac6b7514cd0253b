import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { password } from '#testing'
import { signIn, startPages, visibleField, waitUntilSignedIn } from './browser-pages.ts'

const { tenant, originOf, openBrowser } = await startPages()

test('a user signs in, sees the greeting and signs out', async () => {
  const acme = await tenant()
  const { open, errors } = await openBrowser()
  const page = await open(`${originOf(acme)}/login`)

  await signIn(page, acme.member.email, password)
  await waitUntilSignedIn(page, `${acme.member.name} (${acme.member.email})`)
  const [cookie] = await page.context().cookies()
  const another = await page.context().newPage()
  await another.goto(originOf(acme))
  await waitUntilSignedIn(another, acme.member.name)
  const storage = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: `Sign in to ${acme.name}` }).waitFor()

  assert.partialDeepStrictEqual(cookie, { name: 'refresh', httpOnly: true, sameSite: 'Strict', path: '/' })
  assert.equal(storage, '[{},{},""]')
  assert.deepEqual(await page.context().cookies(), [])
  const { rows } = await acme.sql('select revoke_reason from identity.sessions where user_id = $1', [
    acme.member.userId,
  ])
  assert.ok(rows.some(({ revoke_reason }) => revoke_reason === 'logout'))
  assert.deepEqual(errors, [])
})

test('a wrong password shows a message and can be corrected', async () => {
  const acme = await tenant()
  const { open, errors } = await openBrowser()
  const page = await open(`${originOf(acme)}/login`)

  await signIn(page, acme.member.email, 'not the password')
  await page.getByRole('alert').filter({ hasText: 'The email address or the password is not correct.' }).waitFor()
  await signIn(page, acme.member.email, password)
  await waitUntilSignedIn(page, acme.member.name)

  assert.equal(await page.getByRole('alert').count(), 0)
  assert.deepEqual(errors, [])
})

test('a double click sends one request', async () => {
  const acme = await tenant()
  const { open, postedPaths } = await openBrowser()
  const page = await open(`${originOf(acme)}/login`)
  await visibleField(page, 'Email address').fill(acme.member.email)
  await visibleField(page, 'Password').fill(password)

  await page.evaluate(
    `{ const form = document.querySelector('#sign-in form'); form.requestSubmit(); form.requestSubmit() }`,
  )
  await waitUntilSignedIn(page, acme.member.name)

  assert.deepEqual(postedPaths, ['/api/auth/login', '/api/auth/refresh'])
})

test('a temporary password must be changed first', async () => {
  const acme = await tenant()
  const { body } = await acme.admin.post('/api/users/', { email: 'ada@example.com', name: 'Ada', send_invite: false })
  const { open, errors } = await openBrowser()
  const page = await open(`${originOf(acme)}/login`)

  await signIn(page, 'ada@example.com', body.temporary_password)
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  const focused = await page.evaluate('document.activeElement.name')
  await visibleField(page, 'New password').fill('short')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('alert').filter({ hasText: 'at least 12 characters' }).waitFor()
  const invalid = await visibleField(page, 'New password').getAttribute('aria-invalid')
  await visibleField(page, 'New password').fill('seven green bicycles')
  await page.getByRole('button', { name: 'Save password' }).click()
  await waitUntilSignedIn(page, 'Ada')

  assert.equal(focused, 'new_password')
  assert.equal(invalid, 'true')
  assert.deepEqual(errors, [])
})

test('there is a button for each enabled provider and a message for each SSO error', async () => {
  const acme = await tenant()
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'sso',
       '{"enforced": true, "okta": {"enabled": true, "issuer": "https://acme.okta.example", "client_id": "x"}}')`,
    [acme.id],
  )
  const { open, errors } = await openBrowser()

  const page = await open(`${originOf(acme)}/login#sso_error=account_not_found`)
  const okta = page.getByRole('link', { name: 'Continue with Okta' })
  await okta.waitFor()
  const unknownError = await open(`${originOf(acme)}/login#sso_error=<img src=x>`)
  await unknownError.getByRole('link', { name: 'Continue with Okta' }).waitFor()
  const returning = await open(`${originOf(acme)}/login#return_to=/verify-email`)
  const returningOkta = returning.getByRole('link', { name: 'Continue with Okta' })
  await returningOkta.waitFor()

  assert.equal(await okta.getAttribute('href'), '/api/auth/sso/okta?return_to=%2F')
  assert.equal(await returningOkta.getAttribute('href'), '/api/auth/sso/okta?return_to=%2Fverify-email')
  assert.equal(await page.getByRole('link', { name: 'Continue with Google' }).count(), 0)
  assert.match((await page.getByRole('alert').textContent())!, /Ask an admin for an invitation/)
  assert.equal(await unknownError.getByRole('alert').textContent(), 'Single sign-on failed. Try again.')
  assert.equal(new URL(page.url()).hash, '')
  assert.ok(await page.getByText(`${acme.name} uses single sign-on.`).isVisible())
  assert.equal(await visibleField(page, 'Password').count(), 0)
  await page.getByRole('button', { name: 'Sign in with a password' }).click()
  assert.equal(await page.evaluate('document.activeElement.name'), 'email')
  assert.equal(await page.getByRole('button', { name: 'Sign up' }).count(), 0)
  assert.deepEqual(errors, [])
})

test('a submit before the script has loaded is not lost', async () => {
  const acme = await tenant()
  const { context } = await openBrowser()
  await context.route('**/pages/*.js', async (route) => {
    await sleep(500)
    await route.continue()
  })
  const page = await context.newPage()

  await page.goto(`${originOf(acme)}/login`, { waitUntil: 'commit' })
  await signIn(page, acme.member.email, password)

  await waitUntilSignedIn(page, acme.member.name)
})

test('the script does not move the focus away from the field in use', async () => {
  const acme = await tenant()
  const { context } = await openBrowser()
  const script = Promise.withResolvers<void>()
  await context.route('**/pages/*.js', async (route) => {
    await script.promise
    await route.continue()
  })
  const page = await context.newPage()

  await page.goto(`${originOf(acme)}/login`, { waitUntil: 'commit' })
  await visibleField(page, 'Password').pressSequentially('half a ')
  script.resolve()
  await page.locator('#sign-in [type=submit]:enabled').waitFor()
  await page.keyboard.type('password')

  assert.equal(await visibleField(page, 'Password').inputValue(), 'half a password')
  assert.equal(await visibleField(page, 'Email address').inputValue(), '')
})

test('without JavaScript no password is sent', async () => {
  const acme = await tenant()
  const { open, postedPaths } = await openBrowser({ javaScriptEnabled: false })
  const page = await open(`${originOf(acme)}/login`)

  await page.locator('noscript .note').waitFor()
  await visibleField(page, 'Email address').fill(acme.member.email)
  await visibleField(page, 'Password').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForTimeout(500)

  assert.equal(page.url(), `${originOf(acme)}/login`)
  assert.deepEqual(postedPaths, [])
})
