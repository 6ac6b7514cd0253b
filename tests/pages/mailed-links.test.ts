import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OpenPage, signIn, startPages, visibleField, waitUntilSignedIn } from './browser-pages.ts'

const { tenant, originOf, openBrowser, readEmailedLink } = await startPages()
const newPassword = 'seven green bicycles'

async function savePassword(page: OpenPage, password = newPassword, button = 'Save password'): Promise<void> {
  await visibleField(page, 'New password').fill(password)
  await page.getByRole('button', { name: button }).click()
}

test('a forgotten password is reset with an emailed link that works once', async () => {
  const acme = await tenant()
  const { open, errors } = await openBrowser()
  const page = await open(`${originOf(acme)}/login`)

  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await visibleField(page, 'Email address').fill(acme.member.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  const shownAddress = await page.getByText(acme.member.email).isVisible()
  const link = await readEmailedLink(acme.member.email)
  const reset = await open(link)
  const resetUrl = reset.url()
  await savePassword(reset)
  await reset.getByRole('heading', { name: 'Password saved' }).waitFor()
  await reset.getByRole('link', { name: 'Sign in' }).click()
  await signIn(reset, acme.member.email, newPassword)
  await waitUntilSignedIn(reset, acme.member.name)
  const again = await open(link)
  await again.getByRole('heading', { name: 'This link is not valid' }).waitFor()

  assert.equal(shownAddress, true)
  assert.equal(resetUrl, `${originOf(acme)}/reset-password`)
  assert.match((await again.getByRole('alert').textContent())!, /already used or has expired/)
  await again.getByRole('link', { name: 'Request a new link' }).click()
  await again.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  assert.deepEqual(errors, [])
})

test('a weak password is rejected with a message and the link stays valid', async () => {
  const acme = await tenant()
  await acme.anonymous.post('/api/auth/forgot-password', { email: acme.viewer.email })
  const { open } = await openBrowser()
  const page = await open(await readEmailedLink(acme.viewer.email))

  await savePassword(page, 'password1234')
  await page.getByRole('alert').filter({ hasText: 'This password is too common' }).waitFor()
  const focused = await page.evaluate('document.activeElement.name')
  await savePassword(page)
  await page.getByRole('heading', { name: 'Password saved' }).waitFor()

  assert.equal(focused, 'new_password')
})

test('an invitation is accepted by choosing a password', async () => {
  const acme = await tenant({ name: 'Acme & Söhne' })
  await acme.admin.post('/api/users/', { email: 'grace@example.com', name: 'Grace Hopper' })
  const { open, errors } = await openBrowser()

  const page = await open(await readEmailedLink('grace@example.com'))
  await page.getByRole('heading', { name: 'Welcome to Acme & Söhne' }).waitFor()
  const isNamed = await page.getByText('grace@example.com').isVisible()
  const metRules = async (password: string) => {
    await visibleField(page, 'New password').fill(password)
    return await page.locator('#choose .met').evaluateAll((items) => items.map((item) => item.dataset.rule))
  }
  const met = [await metRules('short'), await metRules('Grace Hopper is great'), await metRules(newPassword)]
  await savePassword(page, newPassword, 'Activate account')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, 'grace@example.com', newPassword)

  await waitUntilSignedIn(page, 'Grace Hopper (grace@example.com)')
  assert.equal(isNamed, true)
  assert.deepEqual(met, [['names'], ['length'], ['length', 'names']])
  assert.deepEqual(errors, [])
})

test('a new user signs up and verifies the email address in another tab', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { signup: { policy: 'open' } })
  const { open, errors } = await openBrowser()
  const page = await open(`${originOf(acme)}/login`)

  await page.getByRole('button', { name: 'Sign up' }).click()
  await visibleField(page, 'Your name').fill('Edith Clarke')
  await visibleField(page, 'Email address').fill('edith@example.com')
  await visibleField(page, 'Password').fill(newPassword)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('You are signed in as Edith Clarke (edith@example.com).').waitFor()
  // Two emails that are sent at the same time can arrive in any order, and only the newest link works.
  await readEmailedLink('edith@example.com')
  await page.getByRole('button', { name: 'Resend email' }).click()
  await page.getByRole('status').filter({ hasText: 'We sent an email to edith@example.com.' }).waitFor()
  const tab = await open(await readEmailedLink('edith@example.com', 2))
  await tab.getByRole('heading', { name: 'Email address verified' }).waitFor()
  const { rows } = await acme.sql(
    `select email_verified_at is not null as verified from identity.users where tenant_id = $1 and source = 'signup'`,
    [acme.id],
  )

  assert.deepEqual(rows, [{ verified: true }])
  assert.equal(await tab.evaluate("sessionStorage.getItem('tributary.verification')"), null)
  assert.equal(tab.url(), `${originOf(acme)}/verify-email`)
  assert.deepEqual(errors, [])
})

test('links without a token or with an unknown code show an error', async () => {
  const acme = await tenant()
  const { open } = await openBrowser()

  for (const path of ['/reset-password', '/accept-invite', '/verify-email']) {
    const page = await open(`${originOf(acme)}${path}`)
    await page.getByRole('alert').filter({ hasText: 'The link is incomplete.' }).waitFor()
  }
  const incomplete = await open(`${originOf(acme)}/auth/complete`)
  await incomplete.getByRole('alert').filter({ hasText: 'The sign-in link is incomplete.' }).waitFor()
  const page = await open(`${originOf(acme)}/auth/complete#code=${'x'.repeat(43)}&return_to=//evil.example`)
  await page.getByRole('heading', { name: 'Sign-in failed' }).waitFor()

  assert.equal(page.url(), `${originOf(acme)}/auth/complete`)
})
