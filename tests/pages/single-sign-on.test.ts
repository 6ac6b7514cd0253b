import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { password, startIdentityProvider } from '#testing'
import { signIn, startPages, waitUntilSignedIn } from './browser-pages.ts'

const { tenant, originOf, openBrowser } = await startPages()
const acme = await tenant()
const origin = originOf(acme)
const okta = await startIdentityProvider({ redirectUris: [`${origin}/api/auth/sso/okta/callback`] })
after(() => okta.stop())
await acme.admin.patch('/api/admin/settings', {
  sso: { okta: { enabled: true, issuer: okta.issuer, client_id: okta.client.id, client_secret: okta.client.secret } },
})
okta.people.set('ada', { email: acme.member.email, email_verified: true, name: 'Ada' })
okta.people.set('unknown', { email: 'unknown@example.com', email_verified: true, name: 'Unknown' })

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openBrowser>>['open']>>

async function signInWithOkta(page: Page, login: string): Promise<void> {
  await page.getByRole('link', { name: 'Continue with Okta' }).click()
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('x')
  await page.locator('[type=submit]').click()
}

test('a user returns from the provider signed in, and the code is removed from the URL', async () => {
  const { open, errors } = await openBrowser()
  const page = await open(`${origin}/login`)

  await signInWithOkta(page, 'ada')
  await waitUntilSignedIn(page, `${acme.member.name} (${acme.member.email})`)

  assert.equal(page.url(), `${origin}/`)
  assert.deepEqual(
    (await page.context().cookies(origin)).map(({ name }) => name),
    ['refresh'],
  )
  assert.deepEqual(errors, [])
})

test('a user with an ended session can sign in again', async () => {
  const { open } = await openBrowser()
  const page = await open(`${origin}/login`)
  await signIn(page, acme.member.email, password)
  await waitUntilSignedIn(page, acme.member.name)
  await acme.sql('update identity.sessions set revoked_at = now() where tenant_id = $1', [acme.id])

  await page.goto(`${origin}/login`)
  await signInWithOkta(page, 'ada')

  await waitUntilSignedIn(page, acme.member.name)
})

test('a user without an account in the workspace sees the reason', async () => {
  const { open } = await openBrowser()
  const page = await open(`${origin}/login`)

  await signInWithOkta(page, 'unknown')
  await page.getByRole('alert').filter({ hasText: 'You do not have an account in this workspace.' }).waitFor()

  assert.equal(page.url(), `${origin}/login`)
})
