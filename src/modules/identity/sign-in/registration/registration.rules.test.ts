import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSignupPolicy } from './registration.rules.ts'

type Policy = Parameters<typeof assertSignupPolicy>[0]
const policy = (kind: Policy['signup']['policy'], { enforced = false } = {}): Policy => ({
  signup: { policy: kind, allowed_email_domains: ['acme.com', 'acme.de'] },
  sso: { enforced },
})
const outcome = (rules: Policy, email: string) => {
  try {
    assertSignupPolicy(rules, email)
    return 'allowed'
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('a domain matches exactly, regardless of case', () => {
  const outcomes = Object.fromEntries(
    [
      'x@acme.com',
      'X@ACME.Com',
      'x@acme.de',
      'x@sub.acme.com',
      'x@notacme.com',
      'x@acme.com.evil.example',
      '"x@acme.com"@evil.example',
      'x@com',
    ].map((email) => [email, outcome(policy('domain'), email)]),
  )

  assert.deepEqual(outcomes, {
    'x@acme.com': 'allowed',
    'X@ACME.Com': 'allowed',
    'x@acme.de': 'allowed',
    'x@sub.acme.com': 'signup_not_allowed',
    'x@notacme.com': 'signup_not_allowed',
    'x@acme.com.evil.example': 'signup_not_allowed',
    '"x@acme.com"@evil.example': 'signup_not_allowed',
    'x@com': 'signup_not_allowed',
  })
})

test('a closed policy rejects everyone, an open one accepts everyone, and enforced single sign-on rejects sign-up', () => {
  assert.equal(outcome(policy('closed'), 'x@acme.com'), 'signup_not_allowed')
  assert.equal(outcome(policy('open'), 'anyone@example.com'), 'allowed')
  assert.equal(outcome(policy('open', { enforced: true }), 'x@acme.com'), 'sso_required')
  assert.equal(outcome(policy('domain', { enforced: true }), 'x@acme.com'), 'sso_required')
})
