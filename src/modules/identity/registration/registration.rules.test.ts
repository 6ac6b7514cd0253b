import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMaySignUp } from './registration.rules.ts'

type Policy = Parameters<typeof assertMaySignUp>[0]
const policy = (kind: Policy['signup']['policy'], { enforced = false } = {}): Policy => ({
  signup: { policy: kind, allowed_email_domains: ['acme.com', 'acme.de'] },
  sso: { enforced },
})
const may = (rules: Policy, email: string) => {
  try {
    assertMaySignUp(rules, email)
    return 'welcome'
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('a domain is meant exactly, in whatever letters it is written', () => {
  const answers = Object.fromEntries(
    [
      'x@acme.com',
      'X@ACME.Com',
      'x@acme.de',
      'x@sub.acme.com',
      'x@notacme.com',
      'x@acme.com.evil.example',
      '"x@acme.com"@evil.example',
      'x@com',
    ].map((email) => [email, may(policy('domain'), email)]),
  )

  assert.deepEqual(answers, {
    'x@acme.com': 'welcome',
    'X@ACME.Com': 'welcome',
    'x@acme.de': 'welcome',
    'x@sub.acme.com': 'signup_not_allowed',
    'x@notacme.com': 'signup_not_allowed',
    'x@acme.com.evil.example': 'signup_not_allowed',
    '"x@acme.com"@evil.example': 'signup_not_allowed',
    'x@com': 'signup_not_allowed',
  })
})

test('a closed workspace takes nobody, an open one everybody, and single sign-on is not walked around', () => {
  assert.equal(may(policy('closed'), 'x@acme.com'), 'signup_not_allowed')
  assert.equal(may(policy('open'), 'anyone@example.com'), 'welcome')
  assert.equal(may(policy('open', { enforced: true }), 'x@acme.com'), 'sso_required')
  assert.equal(may(policy('domain', { enforced: true }), 'x@acme.com'), 'sso_required')
})
