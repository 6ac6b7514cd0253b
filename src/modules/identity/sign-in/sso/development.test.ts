import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startIdentityProvider, startTestApp } from '#testing'
import { fragmentOf, openBrowser } from './browser.fixture.ts'
import { enableGoogle } from './sso.fixture.ts'

const callback = 'http://tributary.test:3000/api/auth/sso/google/callback'
const google = await startIdentityProvider({ redirectUris: [callback] })
const app = await startTestApp({
  NODE_ENV: 'development',
  APP_SCHEME: 'http',
  APP_PORT: '3000',
  SAFE_FETCH_ALLOW_PRIVATE: 'true',
  GOOGLE_ISSUER: google.issuer,
  GOOGLE_CLIENT_ID: google.client.id,
  GOOGLE_CLIENT_SECRET: google.client.secret,
})
const acme = await app.tenant()
await enableGoogle(acme)

test('in development the cookie is not Secure and URLs contain the port', async (t) => {
  t.after(google.stop)
  google.people.set('ada', { email: acme.member.email, email_verified: true, hd: acme.member.email.split('@')[1] })

  const { headers } = await acme.anonymous.get('/api/auth/sso/google')
  assert.match(headers['set-cookie'], /^sso_[0-9a-f]{8}=[\w-]{43}; Max-Age=660; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.equal(new URL(headers.location).searchParams.get('redirect_uri'), callback)

  const browser = openBrowser(app)
  const end = await browser.signOn(`http://${acme.host}:3000/api/auth/sso/google`, 'ada')
  assert.equal(end.origin, `http://${acme.host}:3000`)
  const { status } = await browser.exchange(acme.host, fragmentOf(end).code!)
  assert.equal(status, 200)
})
