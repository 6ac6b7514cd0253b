import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#platform/errors'
import { isCommonPassword } from './common-passwords.ts'
import { assertAcceptablePassword } from './password.rules.ts'
import { newTemporaryPassword } from './passwords.ts'

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

test('length is what counts, in characters as people see them', () => {
  assert.equal(codeFor('eleven-char'), 'minLength')
  assert.equal(codeFor('twelve-chars'), undefined)
  assert.equal(codeFor('zq-eight', { minLength: 8 }), undefined)
  assert.equal(codeFor('🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧'), undefined)
  assert.equal(codeFor(`${'ab '.repeat(42)}ab`), undefined)
  assert.equal(codeFor('ab '.repeat(43)), 'maxLength')
})

test('what everybody takes is refused, in any case', () => {
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

test('what an attacker knows about the place is refused', () => {
  for (const password of [
    'hello ACME-widgets',
    'i love acme widgets ltd',
    'grace.hopper-1906',
    'Grace Hopper rocks',
    'my tributary login',
  ])
    assert.equal(codeFor(password), 'contextual_password', password)
})

test('a short name may occur by chance, but not be the password', () => {
  assert.equal(codeFor('annual-turnover-42', { email: 'ann@example.com' }), undefined)
  assert.equal(codeFor('acme', { slug: 'acme', minLength: 1 }), 'contextual_password')
})

test('a temporary password is long, legible and never the same', () => {
  const passwords = Array.from({ length: 50 }, newTemporaryPassword)

  assert.ok(passwords.every((password) => /^[a-zA-Z2-9]{20}$/.test(password)))
  assert.equal(new Set(passwords).size, 50)
})
