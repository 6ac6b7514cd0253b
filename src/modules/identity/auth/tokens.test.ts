import assert from 'node:assert/strict'
import { createSecretKey, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { test } from 'node:test'
import { type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose'
import { secondsLater } from '#platform/clock'
import { AppError } from '#platform/errors'
import { newKeyLine } from '#platform/secrets'
import { openKeyRing } from './key-ring.ts'
import { openTokens } from './tokens.ts'

const [first, second] = [newKeyLine('first'), newKeyLine('second')]
const config = {
  APP_SCHEME: 'https',
  APP_DOMAIN: 'tributary.test',
  NODE_ENV: 'production',
  SIGNING_KEYS: first,
} as const
const keyRing = openKeyRing(config)
let now = new Date('2026-03-01T09:30:00.500Z')
const clock = { now: () => now }
const tokens = openTokens({ keyRing, config, clock })

const id = (digit: number) => `01890000-0000-7000-8000-00000000000${digit}`
const bearer = { tenantId: id(1), userId: id(2), sessionId: id(3) }
const claims = { iss: 'https://tributary.test', sub: id(2), tid: id(1), sid: id(3), jti: id(4) }
const seconds = Math.floor(now.getTime() / 1_000)
const timed = { ...claims, iat: seconds, exp: seconds + 900 }

const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.code : 'unexpected'),
  )
const forge = (payload: object, header: Partial<JWTHeaderParameters> = {}) =>
  new SignJWT(payload as never)
    .setProtectedHeader({ alg: 'EdDSA', kid: 'first', typ: 'at+jwt', ...header })
    .sign(keyRing.current.privateKey)

test('a refresh token is made anew from its row, byte for byte', async () => {
  const grant = { ...bearer, id: id(4), issuedAt: now, expiresAt: secondsLater(now, 86_400), kid: 'first' }

  const [one, other] = [await tokens.signRefresh(grant), await tokens.signRefresh({ ...grant })]

  assert.equal(one, other)
  assert.deepEqual(await tokens.readRefresh(one), {
    ...bearer,
    id: id(4),
    expiresAt: new Date((seconds + 86_400) * 1_000),
  })
})

test('an access token lives for fifteen minutes and five seconds of grace between clocks', async () => {
  const start = now
  const token = await tokens.signAccess({ ...bearer, authenticatedAt: now, method: 'password' })

  now = secondsLater(start, 903)
  const within = await codeOf(tokens.readAccess(token))
  now = secondsLater(start, 905)
  const after = await codeOf(tokens.readAccess(token))
  now = start

  assert.equal(within, 'accepted')
  assert.equal(after, 'token_expired')
})

test('only our own signature over our own headers is believed', async () => {
  const stranger = generateKeyPairSync('ed25519')
  const jwk = stranger.publicKey.export({ format: 'jwk' })
  const strange = new SignJWT(timed).setProtectedHeader({
    alg: 'EdDSA',
    kid: 'first',
    typ: 'at+jwt',
    jwk: jwk as never,
  })
  const hmac = createSecretKey(Buffer.from(keyRing.current.publicKey.export({ format: 'der', type: 'spki' })))
  const good = await forge(timed)
  const [header, payload, signature] = good.split('.') as [string, string, string]
  const flipped = Buffer.from(signature, 'base64url')
  flipped[5]! ^= 1

  const forgeries = {
    'signed by somebody else, who brings the key': await strange.sign(stranger.privateKey),
    'without a signature': new UnsecuredJWT(timed).encode(),
    'with an empty signature': `${header}.${payload}.`,
    'signed with the public key as a secret': await new SignJWT(timed)
      .setProtectedHeader({ alg: 'HS256', kid: 'first', typ: 'at+jwt' })
      .sign(hmac),
    'with a flipped bit': `${header}.${payload}.${flipped.toString('base64url')}`,
    'with another payload': `${header}.${Buffer.from(JSON.stringify({ ...timed, sub: id(9) })).toString('base64url')}.${signature}`,
    'telling where the key is': await forge(timed, { jku: 'https://evil.example/keys' }),
    'bringing a certificate': await forge(timed, { x5u: 'https://evil.example/cert' }),
    'bringing our own key': await forge(timed, { jwk: keyRing.current.publicKey.export({ format: 'jwk' }) as never }),
    'with a header we do not write': await forge(timed, { cty: 'JWT' }),
    'of another kind': await forge(timed, { typ: 'rt+jwt' }),
    'of a kind that only looks like it': await forge(timed, { typ: 'application/at+jwt' }),
    'without a kind': signedWith({ alg: 'EdDSA', kid: 'first' }),
    'named by an unknown key': await forge(timed, { kid: 'second' }),
    'of another issuer': await forge({ ...timed, iss: 'https://evil.example' }),
    'without an end': await forge({ ...claims, iat: seconds }),
    'without a session': await forge({ ...timed, sid: undefined }),
    'without a workspace': await forge({ ...timed, tid: undefined }),
    'with an id that is none': await forge({ ...timed, jti: "' or 1=1" }),
    'five parts, as if encrypted': `${header}.${payload}.${signature}.x.y`,
    nothing: '',
  }

  assert.equal(await codeOf(tokens.readAccess(good)), 'accepted')
  for (const [name, token] of Object.entries(forgeries))
    assert.equal(await codeOf(tokens.readAccess(token)), 'invalid_token', `a token ${name}`)
})

function signedWith(header: object): string {
  const text = [header, timed].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${signBytes(null, Buffer.from(text), keyRing.current.privateKey).toString('base64url')}`
}

test('a new key signs, and what the old one signed is believed as long as it is there', async () => {
  const old = await tokens.signAccess({ ...bearer, authenticatedAt: now, method: 'password' })

  const both = openTokens({ keyRing: openKeyRing({ ...config, SIGNING_KEYS: `${second},${first}` }), config, clock })
  const onlyNew = openTokens({ keyRing: openKeyRing({ ...config, SIGNING_KEYS: second }), config, clock })
  const fresh = await both.signAccess({ ...bearer, authenticatedAt: now, method: 'password' })

  assert.equal(both.currentKid, 'second')
  assert.equal(await codeOf(both.readAccess(old)), 'accepted')
  assert.equal(await codeOf(onlyNew.readAccess(old)), 'invalid_token')
  assert.equal(await codeOf(onlyNew.readAccess(fresh)), 'accepted')
})

test('keys come from the configuration, at most three, and only a workshop may do without', () => {
  assert.throws(() => openKeyRing({ NODE_ENV: 'production', SIGNING_KEYS: '' }), /SIGNING_KEYS is missing/)
  assert.throws(() => openKeyRing({ NODE_ENV: 'test', SIGNING_KEYS: 'a:tooshort' }), /32 bytes/)
  const four = ['a', 'b', 'c', 'd'].map(newKeyLine).join(',')
  assert.throws(() => openKeyRing({ NODE_ENV: 'production', SIGNING_KEYS: four }), /more than 3/)
  const passing = () => openKeyRing({ NODE_ENV: 'development', SIGNING_KEYS: '' }).current
  assert.ok(passing().publicKey.equals(passing().publicKey))
})
