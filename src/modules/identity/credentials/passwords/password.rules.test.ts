import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#platform/errors'
import { isCommonPassword } from './common-passwords.ts'
import { assertAcceptablePassword } from './password.rules.ts'
import { generateTemporaryPassword } from './password-hash.ts'

const context = {
  minLength: 12,
  slug: 'acme-widgets',
  tenantName: 'Acme Widgets Ltd',
  email: 'grace.hopper@example.com',
  name: 'Grace Hopper',
}

function codeFor(password: string, change: Partial<typeof context> = {}): string | undefined {
  try {
    assertAcceptablePassword(password, { ...context, ...change })
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError && error.status === 422)
    return (error.extra.errors as { code: string; path: string }[])[0]!.code
  }
}

test('the length is counted in code points', () => {
  assert.equal(codeFor('eleven-char'), 'minLength')
  assert.equal(codeFor('twelve-chars'), undefined)
  assert.equal(codeFor('zq-eight', { minLength: 8 }), undefined)
  assert.equal(codeFor('🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧'), undefined)
  assert.equal(codeFor(`${'ab '.repeat(42)}ab`), undefined)
  assert.equal(codeFor('ab '.repeat(43)), 'maxLength')
})

test('common passwords are rejected case-insensitively', () => {
  for (const password of [
    'qwertyuiop123',
    'Password1234',
    '1Q2W3E4R5T6Y',
    'aaaaaaaaaaaa',
    'abcdabcdabcd',
    '121212121212',
  ])
    assert.equal(codeFor(password), 'common_password', password)
  assert.equal(isCommonPassword('correct horse battery staple'), false)
})

test('passwords that contain context words are rejected', () => {
  for (const password of [
    'hello ACME-widgets',
    'i love acme widgets ltd',
    'grace.hopper-1906',
    'Grace Hopper rocks',
    'my tributary login',
  ])
    assert.equal(codeFor(password), 'contextual_password', password)
})

test('a short name may be part of a password but not the whole password', () => {
  assert.equal(codeFor('annual-turnover-42', { email: 'ann@example.com' }), undefined)
  assert.equal(codeFor('acme', { slug: 'acme', minLength: 1 }), 'contextual_password')
})

test('temporary passwords are long, legible and unique', () => {
  const passwords = Array.from({ length: 50 }, generateTemporaryPassword)

  assert.ok(passwords.every((password) => /^[a-zA-Z2-9]{20}$/.test(password)))
  assert.equal(new Set(passwords).size, 50)
})
