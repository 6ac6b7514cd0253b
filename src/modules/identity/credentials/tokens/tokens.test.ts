import assert from 'node:assert/strict'
import { createSecretKey, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { test } from 'node:test'
import { type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose'
import { secondsLater } from '#platform/clock'
import { AppError } from '#platform/errors'
import { generateKeyEntry } from '#platform/secrets'
import { createKeyRing } from './key-ring.ts'
import { createTokenService } from './tokens.ts'

const [first, second] = [generateKeyEntry('first'), generateKeyEntry('second')]
const config = {
  APP_SCHEME: 'https',
  APP_DOMAIN: 'tributary.test',
  NODE_ENV: 'production',
  SIGNING_KEYS: first,
} as const
const keyRing = createKeyRing(config)
let now = new Date('2026-03-01T09:30:00.500Z')
const clock = { now: () => now }
const tokens = createTokenService({ keyRing, config, clock })

const id = (digit: number) => `01890000-0000-7000-8000-00000000000${digit}`
const bearer = { tenantId: id(1), userId: id(2), sessionId: id(3) }
const claims = { iss: 'https://tributary.test', sub: id(2), tid: id(1), sid: id(3), jti: id(4) }
const seconds = Math.floor(now.getTime() / 1_000)
const validClaims = { ...claims, iat: seconds, exp: seconds + 900 }

const codeOf = (verification: Promise<unknown>) =>
  verification.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.code : 'unexpected'),
  )
const forge = (payload: object, header: Partial<JWTHeaderParameters> = {}) =>
  new SignJWT(payload as never)
    .setProtectedHeader({ alg: 'EdDSA', kid: 'first', typ: 'at+jwt', ...header })
    .sign(keyRing.current.privateKey)

test('a refresh token can be recreated from its row byte for byte', async () => {
  const grant = { ...bearer, id: id(4), issuedAt: now, expiresAt: secondsLater(now, 86_400), kid: 'first' }

  const [one, other] = [await tokens.signRefreshToken(grant), await tokens.signRefreshToken({ ...grant })]

  assert.equal(one, other)
  assert.deepEqual(await tokens.verifyRefreshToken(one), {
    ...bearer,
    id: id(4),
    expiresAt: new Date((seconds + 86_400) * 1_000),
  })
})

test('an access token is valid for fifteen minutes plus five seconds of clock tolerance', async () => {
  const start = now
  const token = await tokens.signAccessToken({ ...bearer, authenticatedAt: now, method: 'password' })

  now = secondsLater(start, 903)
  const within = await codeOf(tokens.verifyAccessToken(token))
  now = secondsLater(start, 905)
  const after = await codeOf(tokens.verifyAccessToken(token))
  now = start

  assert.equal(within, 'accepted')
  assert.equal(after, 'token_expired')
})

test('only tokens with our signature and exact headers are accepted', async () => {
  const foreignKeys = generateKeyPairSync('ed25519')
  const jwk = foreignKeys.publicKey.export({ format: 'jwk' })
  const foreignToken = new SignJWT(validClaims).setProtectedHeader({
    alg: 'EdDSA',
    kid: 'first',
    typ: 'at+jwt',
    jwk: jwk as never,
  })
  const hmac = createSecretKey(Buffer.from(keyRing.current.publicKey.export({ format: 'der', type: 'spki' })))
  const good = await forge(validClaims)
  const [header, payload, signature] = good.split('.') as [string, string, string]
  const flipped = Buffer.from(signature, 'base64url')
  flipped[5]! ^= 1

  const forgeries = {
    'signed with a foreign key in its header': await foreignToken.sign(foreignKeys.privateKey),
    'without a signature': new UnsecuredJWT(validClaims).encode(),
    'with an empty signature': `${header}.${payload}.`,
    'signed with the public key as a secret': await new SignJWT(validClaims)
      .setProtectedHeader({ alg: 'HS256', kid: 'first', typ: 'at+jwt' })
      .sign(hmac),
    'with a flipped bit': `${header}.${payload}.${flipped.toString('base64url')}`,
    'with another payload': `${header}.${Buffer.from(JSON.stringify({ ...validClaims, sub: id(9) })).toString('base64url')}.${signature}`,
    'with a key URL': await forge(validClaims, { jku: 'https://evil.example/keys' }),
    'with a certificate URL': await forge(validClaims, { x5u: 'https://evil.example/cert' }),
    'with our own key in its header': await forge(validClaims, {
      jwk: keyRing.current.publicKey.export({ format: 'jwk' }) as never,
    }),
    'with an unknown header': await forge(validClaims, { cty: 'JWT' }),
    'of another type': await forge(validClaims, { typ: 'rt+jwt' }),
    'of a similar type': await forge(validClaims, { typ: 'application/at+jwt' }),
    'without a type': signedWith({ alg: 'EdDSA', kid: 'first' }),
    'with an unknown key id': await forge(validClaims, { kid: 'second' }),
    'of another issuer': await forge({ ...validClaims, iss: 'https://evil.example' }),
    'without an expiry': await forge({ ...claims, iat: seconds }),
    'without a session': await forge({ ...validClaims, sid: undefined }),
    'without a workspace': await forge({ ...validClaims, tid: undefined }),
    'with an invalid id': await forge({ ...validClaims, jti: "' or 1=1" }),
    'five parts, as if encrypted': `${header}.${payload}.${signature}.x.y`,
    'that is empty': '',
  }

  assert.equal(await codeOf(tokens.verifyAccessToken(good)), 'accepted')
  for (const [name, token] of Object.entries(forgeries))
    assert.equal(await codeOf(tokens.verifyAccessToken(token)), 'invalid_token', `a token ${name}`)
})

function signedWith(header: object): string {
  const text = [header, validClaims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${signBytes(null, Buffer.from(text), keyRing.current.privateKey).toString('base64url')}`
}

test('a new key signs and old keys still verify while configured', async () => {
  const old = await tokens.signAccessToken({ ...bearer, authenticatedAt: now, method: 'password' })

  const both = createTokenService({
    keyRing: createKeyRing({ ...config, SIGNING_KEYS: `${second},${first}` }),
    config,
    clock,
  })
  const onlyNew = createTokenService({ keyRing: createKeyRing({ ...config, SIGNING_KEYS: second }), config, clock })
  const fresh = await both.signAccessToken({ ...bearer, authenticatedAt: now, method: 'password' })

  assert.equal(both.currentKid, 'second')
  assert.equal(await codeOf(both.verifyAccessToken(old)), 'accepted')
  assert.equal(await codeOf(onlyNew.verifyAccessToken(old)), 'invalid_token')
  assert.equal(await codeOf(onlyNew.verifyAccessToken(fresh)), 'accepted')
})

test('signing keys come from the configuration (at most three) and are optional only outside production', () => {
  assert.throws(() => createKeyRing({ NODE_ENV: 'production', SIGNING_KEYS: '' }), /SIGNING_KEYS is missing/)
  assert.throws(() => createKeyRing({ NODE_ENV: 'test', SIGNING_KEYS: 'a:tooshort' }), /32 bytes/)
  const four = ['a', 'b', 'c', 'd'].map(generateKeyEntry).join(',')
  assert.throws(() => createKeyRing({ NODE_ENV: 'production', SIGNING_KEYS: four }), /at most 3 keys/)
  const ephemeral = () => createKeyRing({ NODE_ENV: 'development', SIGNING_KEYS: '' }).current
  assert.ok(ephemeral().publicKey.equals(ephemeral().publicKey))
})
