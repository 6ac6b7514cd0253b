import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAuthenticatedSince, isEmailDomainAllowed, parseSsoProfile } from './sso-profile.rules.ts'

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

test('an allowed domain does not include its subdomains', () => {
  const listed = (allowed_email_domains: string[]) =>
    ({ allowed_email_domains }) as unknown as Parameters<typeof isEmailDomainAllowed>[1]
  assert.equal(isEmailDomainAllowed('x@Acme.example', listed(['acme.example'])), true)
  assert.equal(isEmailDomainAllowed('x@sub.acme.example', listed(['acme.example'])), false)
  assert.equal(isEmailDomainAllowed('x@anything.example', listed([])), true)
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
