import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAuthenticatedSince, isEmailTrusted, isProvisioningAllowed, parseSsoProfile } from './sso-profile.rules.ts'

const ada = { sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada' }

test('valid claims are parsed, and invalid ones are treated as missing', () => {
  assert.deepEqual(parseSsoProfile({ ...ada, hd: 'ACME.example', auth_time: 1_000 }), {
    subject: 'ada',
    email: 'ada@acme.example',
    isEmailVerified: true,
    name: 'Ada',
    hostedDomain: 'acme.example',
    authenticatedAt: new Date(1_000_000),
  })
  for (const email_verified of [undefined, null, 'true', 1, {}, false])
    assert.equal(parseSsoProfile({ ...ada, email_verified })?.isEmailVerified, false)
  for (const email of [
    undefined,
    7,
    '',
    'ada',
    'a b@acme.example',
    'ada@acme',
    '.a@acme.example',
    'a..b@acme.example',
    `${'a'.repeat(250)}@x.de`,
  ])
    assert.equal(parseSsoProfile({ ...ada, email })?.email, null, String(email))
})

test('a profile without a valid subject is rejected', () => {
  for (const sub of [undefined, null, 7, '', 'x'.repeat(256), 'a\u0000b', 'a\nb', '\ud800'])
    assert.equal(parseSsoProfile({ ...ada, sub }), undefined)
})

test('a name is truncated and cleaned of control characters', () => {
  assert.equal(parseSsoProfile({ ...ada, name: ' A\u0000d\na ' })?.name, 'A d a')
  assert.equal([...parseSsoProfile({ ...ada, name: '🙂'.repeat(200) })!.name].length, 120)
  for (const name of [undefined, '', ' ', 7]) assert.equal(parseSsoProfile({ ...ada, name })?.name, 'ada')
  assert.equal(parseSsoProfile({ ...ada, name: '', email: `${'a'.repeat(200)}@acme.example` })?.name.length, 120)
})

const settings = (hostedDomains: string[] = [], trust_unverified_email = false) =>
  ({ google: { allowed_hosted_domains: hostedDomains }, okta: { trust_unverified_email } }) as unknown as Parameters<
    typeof isEmailTrusted
  >[2]
const listed = (...allowed_email_domains: string[]) =>
  ({ allowed_email_domains }) as unknown as Parameters<typeof isProvisioningAllowed>[3]

test('an email address from Google is trusted only if Google hosts it', () => {
  const isTrusted = (claims: object, hostedDomains?: string[]) =>
    isEmailTrusted('google', parseSsoProfile({ ...ada, ...claims })!, settings(hostedDomains))

  assert.equal(isTrusted({ hd: 'acme.example' }), true)
  assert.equal(isTrusted({ email: 'ada@GMAIL.com' }), true)
  assert.equal(isTrusted({ email: 'ada@googlemail.com' }), true)
  assert.equal(isTrusted({ email: 'ada@acme.de', hd: 'acme.example' }, ['acme.example']), true)
  assert.equal(isTrusted({}), false)
  assert.equal(isTrusted({ hd: 'attacker.example' }), false)
  assert.equal(isTrusted({ email: 'ada@acme.de', hd: 'acme.example' }), false)
  assert.equal(isTrusted({ email: 'ada@gmail.com.attacker.example' }), false)
  for (const unverified of [{ hd: 'acme.example' }, { email: 'ada@gmail.com' }])
    assert.equal(isTrusted({ ...unverified, email_verified: false }, ['acme.example']), false)
})

test('an email address from Okta is trusted if it is verified or the workspace says so', () => {
  const unverified = parseSsoProfile({ ...ada, email_verified: false })!

  assert.equal(isEmailTrusted('okta', parseSsoProfile(ada)!, settings()), true)
  assert.equal(isEmailTrusted('okta', unverified, settings()), false)
  assert.equal(isEmailTrusted('okta', unverified, settings([], true)), true)
  assert.equal(isEmailTrusted('google', { ...unverified, hostedDomain: 'acme.example' }, settings([], true)), false)
})

test('an allowed domain does not include its subdomains', () => {
  const isAllowed = (email: string) => isProvisioningAllowed('okta', email, settings(), listed('acme.example'))

  assert.equal(isAllowed('x@Acme.example'), true)
  assert.equal(isAllowed('x@sub.acme.example'), false)
})

test('accounts from Google are created only with a list of domains, accounts from Okta also without', () => {
  const email = 'x@anything.example'

  assert.equal(isProvisioningAllowed('google', email, settings(), listed()), false)
  assert.equal(isProvisioningAllowed('google', email, settings(['anything.example']), listed()), true)
  assert.equal(isProvisioningAllowed('google', email, settings(['anything.example']), listed('acme.example')), false)
  assert.equal(isProvisioningAllowed('okta', email, settings(), listed()), true)
})

test('a new authentication requires auth_time, except for Google', () => {
  const since = new Date('2026-01-01T12:00:00Z')
  const at = (authenticatedAt: Date | null) => ({ ...parseSsoProfile(ada)!, authenticatedAt })

  assert.equal(isAuthenticatedSince('okta', at(new Date('2026-01-01T12:00:05Z')), since), true)
  assert.equal(isAuthenticatedSince('okta', at(new Date('2026-01-01T11:59:00Z')), since), false)
  assert.equal(isAuthenticatedSince('google', at(new Date('2026-01-01T11:59:00Z')), since), false)
  assert.equal(isAuthenticatedSince('okta', at(null), since), false)
  assert.equal(isAuthenticatedSince('google', at(null), since), true)
})
