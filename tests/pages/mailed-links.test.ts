import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field, type OpenPage, signIn, startPages, untilSignedIn } from './visit.ts'

const { tenant, originOf, visitor, mailedLink } = await startPages()
const chosen = 'seven green bicycles'

async function choose(page: OpenPage, password = chosen): Promise<void> {
  await field(page, 'New password').fill(password)
  await page.getByRole('button', { name: 'Save the password' }).click()
}

test('a forgotten password is replaced by way of a mail, and the link works once', async () => {
  const acme = await tenant()
  const { open, complaints } = await visitor()
  const page = await open(`${originOf(acme)}/login`)

  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await field(page, 'E-mail address').fill(acme.member.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('status').filter({ hasText: 'a mail with a link is on its way' }).waitFor()
  const link = await mailedLink(acme.member.email)
  const reset = await open(link)
  const address = reset.url()
  await choose(reset)
  await reset.getByRole('heading', { name: 'Your password is saved' }).waitFor()
  await reset.getByRole('link', { name: 'Sign in' }).click()
  await signIn(reset, acme.member.email, chosen)
  await untilSignedIn(reset, acme.member.name)
  const again = await open(link)
  await choose(again, 'another long password')
  await again.getByRole('heading', { name: 'This link does not work' }).waitFor()

  assert.equal(address, `${originOf(acme)}/reset-password`)
  assert.match((await again.getByRole('alert').textContent())!, /used already or its time is over/)
  await again.getByRole('link', { name: 'Get a new link' }).click()
  await again.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('a weak password is refused in words, and the link stays good', async () => {
  const acme = await tenant()
  await acme.anonymous.post('/api/auth/forgot-password', { email: acme.viewer.email })
  const { open } = await visitor()
  const page = await open(await mailedLink(acme.viewer.email))

  await choose(page, 'password1234')
  await page.getByRole('alert').filter({ hasText: 'among the first that are tried' }).waitFor()
  const focused = await page.evaluate('document.activeElement.name')
  await choose(page)
  await page.getByRole('heading', { name: 'Your password is saved' }).waitFor()

  assert.equal(focused, 'new_password')
})

test('an invitation is accepted by choosing a password', async () => {
  const acme = await tenant({ name: 'Acme & Söhne' })
  await acme.admin.post('/api/users/', { email: 'grace@example.com', name: 'Grace Hopper' })
  const { open, complaints } = await visitor()

  const page = await open(await mailedLink('grace@example.com'))
  await page.getByRole('heading', { name: 'Welcome to Acme & Söhne' }).waitFor()
  await choose(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, 'grace@example.com', chosen)

  await untilSignedIn(page, 'Grace Hopper (grace@example.com)')
  assert.deepEqual(complaints, [])
})

test('somebody signs up, and proves their address in another tab after signing in there', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { signup: { policy: 'open' } })
  const { open, complaints } = await visitor()
  const page = await open(`${originOf(acme)}/login`)

  await page.getByRole('button', { name: 'Sign up' }).click()
  await field(page, 'Your name').fill('Edith Clarke')
  await field(page, 'E-mail address').fill('edith@example.com')
  await field(page, 'Password').fill(chosen)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('You are signed in as Edith Clarke (edith@example.com).').waitFor()
  await page.getByRole('button', { name: 'Send the mail again' }).click()
  await page.getByRole('status').filter({ hasText: 'We sent a mail to edith@example.com.' }).waitFor()
  const tab = await open(await mailedLink('edith@example.com', 2))
  await tab.getByRole('link', { name: 'Sign in' }).click()
  await signIn(tab, 'edith@example.com', chosen)
  await tab.getByRole('heading', { name: 'Your e-mail address is confirmed' }).waitFor()
  const { rows } = await acme.sql(
    `select email_verified_at is not null as verified from identity.users where tenant_id = $1 and source = 'signup'`,
    [acme.id],
  )

  assert.deepEqual(rows, [{ verified: true }])
  assert.equal(await tab.evaluate("sessionStorage.getItem('tributary.verification')"), null)
  assert.equal(tab.url(), `${originOf(acme)}/verify-email`)
  assert.deepEqual(complaints, [])
})

test('a link without its token, and one that is not ours, say so', async () => {
  const acme = await tenant()
  const { open } = await visitor()

  for (const path of ['/reset-password', '/accept-invite', '/verify-email']) {
    const page = await open(`${originOf(acme)}${path}`)
    await page.getByRole('alert').filter({ hasText: 'The link is incomplete.' }).waitFor()
  }
  const page = await open(`${originOf(acme)}/auth/complete#code=${'x'.repeat(43)}&return_to=//evil.example`)
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()

  assert.equal(page.url(), `${originOf(acme)}/auth/complete`)
})
