import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  areSecretsEqual,
  createSecretBox,
  createTaggedTokens,
  generateKeyEntry,
  generateSecretToken,
  hashToken,
  parseKeys,
  SecretDecryptionError,
  type SecretLocation,
} from './index.ts'

const defaultLocation: SecretLocation = {
  tenantId: '0198c0de-0000-7000-8000-000000000001',
  table: 'identity.tenant_secrets',
  column: 'value',
  row: '0198c0de-0000-7000-8000-000000000002',
}
const text = fc.string({ unit: 'binary', maxLength: 500 })
const anyLocation = fc.record({ tenantId: text, table: text, column: text, row: text })

test('every secret survives a seal/open round trip', () => {
  const box = createSecretBox(generateKeyEntry('k1'))

  fc.assert(
    fc.property(text, anyLocation, (plain, location) => {
      assert.equal(box.open(box.seal(plain, location), location), plain)
    }),
  )
})

test('a ciphertext with any bit flipped is rejected', () => {
  const box = createSecretBox(generateKeyEntry('k1'))
  const { kid, ciphertext } = box.seal('whsec_b2xkIGZyaWVuZA', defaultLocation)

  for (let bit = 0; bit < ciphertext.length * 8; bit += 1) {
    const tampered = Buffer.from(ciphertext)
    tampered[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => box.open({ kid, ciphertext: tampered }, defaultLocation), SecretDecryptionError)
  }
})

test('a truncated or extended ciphertext is rejected', () => {
  const box = createSecretBox(generateKeyEntry('k1'))
  const { kid, ciphertext } = box.seal('x', defaultLocation)

  for (let length = 0; length < ciphertext.length; length += 1)
    assert.throws(
      () => box.open({ kid, ciphertext: ciphertext.subarray(0, length) }, defaultLocation),
      SecretDecryptionError,
    )
  assert.throws(
    () => box.open({ kid, ciphertext: Buffer.concat([ciphertext, Buffer.alloc(1)]) }, defaultLocation),
    SecretDecryptionError,
  )
})

test('a secret copied to another tenant, table, column or row is rejected without a reason', () => {
  const box = createSecretBox(generateKeyEntry('k1'))
  const sealed = box.seal('client secret', defaultLocation)

  for (const part of ['tenantId', 'table', 'column', 'row'] as const)
    assert.throws(() => box.open(sealed, { ...defaultLocation, [part]: `${defaultLocation[part]}x` }), {
      name: 'SecretDecryptionError',
      message: 'The stored secret cannot be read.',
    })
})

test('locations whose parts concatenate to the same text are different', () => {
  const box = createSecretBox(generateKeyEntry('k1'))

  fc.assert(
    fc.property(anyLocation, anyLocation, (here, there) => {
      fc.pre(JSON.stringify(here) !== JSON.stringify(there))
      assert.throws(() => box.open(box.seal('x', here), there), SecretDecryptionError)
    }),
  )
  assert.throws(
    () =>
      box.open(box.seal('x', { ...defaultLocation, table: 'ab', column: 'c' }), {
        ...defaultLocation,
        table: 'a',
        column: 'bc',
      }),
    SecretDecryptionError,
  )
})

test('sealing the same secret twice gives different ciphertexts', () => {
  const box = createSecretBox(generateKeyEntry('k1'))

  const seen = new Set(Array.from({ length: 100 }, () => box.seal('same', defaultLocation).ciphertext.toString('hex')))

  assert.equal(seen.size, 100)
})

test('after a key rotation old secrets can be opened and new ones use the new key', () => {
  const [first, second] = [generateKeyEntry('k1'), generateKeyEntry('k2')]
  const old = createSecretBox(first).seal('kept', defaultLocation)

  const rotated = createSecretBox(`${second}, ${first}`)

  assert.equal(rotated.open(old, defaultLocation), 'kept')
  assert.equal(rotated.seal('new', defaultLocation).kid, 'k2')
  assert.throws(() => createSecretBox(second).open(old, defaultLocation), /not in SECRETS_KEYS/)
  assert.throws(() => createSecretBox(generateKeyEntry('k1')).open(old, defaultLocation), SecretDecryptionError)
})

test('invalid keys are rejected without repeating them', () => {
  const good = generateKeyEntry('k1')
  const [, key] = good.split(':')
  const unusable = [
    `k1:${key}=`,
    `k1:${key?.slice(1)}`,
    `:${key}`,
    `${key}`,
    `k 1:${key}`,
    `${good}:x`,
    `${good},`,
    `k1:${'_'.repeat(43)}`,
  ]

  for (const lines of unusable)
    assert.throws(
      () => createSecretBox(lines),
      (error: Error) => /SECRETS_KEYS/.test(error.message) && !error.message.includes(`${key}`.slice(1)),
    )
  assert.throws(() => createSecretBox(''), /SECRETS_KEYS is missing/)
  assert.throws(() => createSecretBox(`${good},k1:${generateKeyEntry('x').split(':')[1]}`), /same name/)
  assert.throws(() => generateKeyEntry('no colons: please'), /letters, digits/)
})

test('a generated key entry is parsed as 32 bytes with its name', () => {
  const keys = parseKeys('SIGNING_KEYS', `${generateKeyEntry('2026-01')},${generateKeyEntry('2025-07')}`)

  assert.deepEqual(
    keys.map(({ kid, key }) => [kid, key.length]),
    [
      ['2026-01', 32],
      ['2025-07', 32],
    ],
  )
})

test('tokens are unique, URL-safe and 43 characters long, and are hashed with SHA-256', () => {
  const tokens = Array.from({ length: 1_000 }, generateSecretToken)

  assert.equal(new Set(tokens).size, 1_000)
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(hashToken('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('secrets are compared by value, even with different lengths', () => {
  const token = generateSecretToken()

  assert.equal(areSecretsEqual(token, `${token}`), true)
  assert.equal(areSecretsEqual(token, Buffer.from(token)), true)
  assert.equal(areSecretsEqual(token, generateSecretToken()), false)
  assert.equal(areSecretsEqual(token, token.slice(1)), false)
  assert.equal(areSecretsEqual('', token), false)
})

test('a tagged token is recognized in its context only, also after a key rotation', () => {
  const [first, second] = [generateKeyEntry('k1'), generateKeyEntry('k2')]
  const tokens = createTaggedTokens(first, 'links')
  const token = tokens.generate('acme')
  const last = token.at(-1)!

  assert.match(token, /^[\w-]{43}$/)
  assert.notEqual(tokens.generate('acme'), token)
  assert.equal(createTaggedTokens(`${second}, ${first}`, 'links').isTagged('acme', token), true)
  for (const changed of [`${token.slice(0, -1)}${last === 'A' ? 'B' : 'A'}`, `${token}A`, token.slice(1), ''])
    assert.equal(tokens.isTagged('acme', changed), false, changed)
  assert.equal(tokens.isTagged('globex', token), false)
  assert.equal(createTaggedTokens(first, 'other links').isTagged('acme', token), false)
  assert.equal(createTaggedTokens(second, 'links').isTagged('acme', token), false)
})
