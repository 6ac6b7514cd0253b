import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freePort, password, startIdentityProvider } from '#testing'
import { signIn, startPages, untilSignedIn } from './visit.ts'

const port = await freePort()
const slug = 'acme-browser'
const origin = `http://${slug}.localhost:${port}`
const okta = await startIdentityProvider({ redirectUris: [`${origin}/api/auth/sso/okta/callback`] })
after(() => okta.stop())
const { tenant, visitor } = await startPages({ port, environment: { SAFE_FETCH_ALLOW_PRIVATE: 'true' } })
const acme = await tenant({ slug })
await acme.admin.patch('/api/admin/settings', {
  sso: { okta: { enabled: true, issuer: okta.issuer, client_id: okta.client.id, client_secret: okta.client.secret } },
})
okta.people.set('ada', { email: acme.member.email, email_verified: true, name: 'Ada' })
okta.people.set('nobody', { email: 'nobody@example.com', email_verified: true, name: 'Nobody' })

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof visitor>>['open']>>

async function signOnAs(page: Page, login: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with Okta' }).click()
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('x')
  await page.locator('[type=submit]').click()
}

test('somebody comes back from their provider signed in, and the code is gone from the address', async () => {
  const { open, complaints } = await visitor()
  const page = await open(`${origin}/login`)

  await signOnAs(page, 'ada')
  await untilSignedIn(page, `${acme.member.name} (${acme.member.email})`)

  assert.equal(page.url(), `${origin}/auth/complete`)
  assert.match(await page.evaluate("sessionStorage.getItem('tributary.session')"), /"access_token"/)
  assert.deepEqual(complaints, [])
})

test('a session that has ended keeps nobody from signing on anew', async () => {
  const { open } = await visitor()
  const page = await open(`${origin}/login`)
  await signIn(page, acme.member.email, password)
  await untilSignedIn(page, acme.member.name)
  await acme.sql('update identity.sessions set revoked_at = now() where tenant_id = $1', [acme.id])

  await page.goto(`${origin}/login`)
  await signOnAs(page, 'ada')

  await untilSignedIn(page, acme.member.name)
})

test('somebody the workspace does not know reads why', async () => {
  const { open } = await visitor()
  const page = await open(`${origin}/login`)

  await signOnAs(page, 'nobody')
  await page.getByRole('alert').filter({ hasText: 'There is no account for you here.' }).waitFor()

  assert.equal(page.url(), `${origin}/login`)
})
