import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  hashToken,
  isSameSecret,
  newKeyLine,
  newSecretToken,
  openSecretBox,
  readKeys,
  type SecretPlace,
  SecretUnreadable,
} from './index.ts'

const place: SecretPlace = {
  tenantId: '0198c0de-0000-7000-8000-000000000001',
  table: 'identity.tenant_secrets',
  column: 'value',
  row: '0198c0de-0000-7000-8000-000000000002',
}
const text = fc.string({ unit: 'binary', maxLength: 500 })
const anyPlace = fc.record({ tenantId: text, table: text, column: text, row: text })

test('every secret comes back as it was sealed', () => {
  const box = openSecretBox(newKeyLine('k1'))

  fc.assert(
    fc.property(text, anyPlace, (plain, somewhere) => {
      assert.equal(box.open(box.seal(plain, somewhere), somewhere), plain)
    }),
  )
})

test('a secret with any bit flipped is refused', () => {
  const box = openSecretBox(newKeyLine('k1'))
  const { kid, ciphertext } = box.seal('whsec_b2xkIGZyaWVuZA', place)

  for (let bit = 0; bit < ciphertext.length * 8; bit += 1) {
    const tampered = Buffer.from(ciphertext)
    tampered[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => box.open({ kid, ciphertext: tampered }, place), SecretUnreadable)
  }
})

test('a secret that was cut short or made longer is refused', () => {
  const box = openSecretBox(newKeyLine('k1'))
  const { kid, ciphertext } = box.seal('x', place)

  for (let length = 0; length < ciphertext.length; length += 1)
    assert.throws(() => box.open({ kid, ciphertext: ciphertext.subarray(0, length) }, place), SecretUnreadable)
  assert.throws(
    () => box.open({ kid, ciphertext: Buffer.concat([ciphertext, Buffer.alloc(1)]) }, place),
    SecretUnreadable,
  )
})

test('a secret copied to another tenant, table, column or row is refused without a reason', () => {
  const box = openSecretBox(newKeyLine('k1'))
  const sealed = box.seal('client secret', place)

  for (const part of ['tenantId', 'table', 'column', 'row'] as const)
    assert.throws(() => box.open(sealed, { ...place, [part]: `${place[part]}x` }), {
      name: 'SecretUnreadable',
      message: 'The stored secret cannot be read.',
    })
})

test('two places never count as the same because their parts run together', () => {
  const box = openSecretBox(newKeyLine('k1'))

  fc.assert(
    fc.property(anyPlace, anyPlace, (here, there) => {
      fc.pre(JSON.stringify(here) !== JSON.stringify(there))
      assert.throws(() => box.open(box.seal('x', here), there), SecretUnreadable)
    }),
  )
  assert.throws(
    () => box.open(box.seal('x', { ...place, table: 'ab', column: 'c' }), { ...place, table: 'a', column: 'bc' }),
    SecretUnreadable,
  )
})

test('the same secret sealed twice looks different each time', () => {
  const box = openSecretBox(newKeyLine('k1'))

  const seen = new Set(Array.from({ length: 100 }, () => box.seal('same', place).ciphertext.toString('hex')))

  assert.equal(seen.size, 100)
})

test('after a new key is put first, old secrets still open and new ones use it', () => {
  const [first, second] = [newKeyLine('k1'), newKeyLine('k2')]
  const old = openSecretBox(first).seal('kept', place)

  const rotated = openSecretBox(`${second}, ${first}`)

  assert.equal(rotated.open(old, place), 'kept')
  assert.equal(rotated.seal('new', place).kid, 'k2')
  assert.throws(() => openSecretBox(second).open(old, place), /SECRETS_KEYS does not hold/)
  assert.throws(() => openSecretBox(newKeyLine('k1')).open(old, place), SecretUnreadable)
})

test('keys that cannot work are refused without repeating them', () => {
  const good = newKeyLine('k1')
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
      () => openSecretBox(lines),
      (error: Error) => /SECRETS_KEYS/.test(error.message) && !error.message.includes(`${key}`.slice(1)),
    )
  assert.throws(() => openSecretBox(''), /SECRETS_KEYS is missing/)
  assert.throws(() => openSecretBox(`${good},k1:${newKeyLine('x').split(':')[1]}`), /same name/)
  assert.throws(() => newKeyLine('no colons: please'), /letters, digits/)
})

test('a new key line is read back as 32 bytes under its name', () => {
  const keys = readKeys('SIGNING_KEYS', `${newKeyLine('2026-01')},${newKeyLine('2025-07')}`)

  assert.deepEqual(
    keys.map(({ kid, key }) => [kid, key.length]),
    [
      ['2026-01', 32],
      ['2025-07', 32],
    ],
  )
})

test('a token is 43 characters that fit in a URL, never the same twice, and stored as its hash', () => {
  const tokens = Array.from({ length: 1_000 }, newSecretToken)

  assert.equal(new Set(tokens).size, 1_000)
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(hashToken('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('secrets are compared by value, whatever their lengths', () => {
  const token = newSecretToken()

  assert.equal(isSameSecret(token, `${token}`), true)
  assert.equal(isSameSecret(token, Buffer.from(token)), true)
  assert.equal(isSameSecret(token, newSecretToken()), false)
  assert.equal(isSameSecret(token, token.slice(1)), false)
  assert.equal(isSameSecret('', token), false)
})
