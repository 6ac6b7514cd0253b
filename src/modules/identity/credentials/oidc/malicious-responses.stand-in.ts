import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { MaliciousResponse, TokenForger } from './malicious-provider.stand-in.ts'

type Json = Record<string, unknown>
export type MaliciousCase = MaliciousResponse & { name: string /** Extra callback parameters. */; returned?: Json }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const withClaims = (name: string, change: Json): MaliciousCase => ({
  name,
  idToken: ({ sign, claims }) => sign({ ...claims, ...change }),
})
const withoutClaim = (claim: string): MaliciousCase => ({
  name: `no ${claim}`,
  idToken: ({ sign, claims: { [claim]: _, ...rest } }) => sign(rest),
})
const withMetadata = (name: string, change: Json): MaliciousCase => ({
  name,
  metadata: (honest) => ({ ...honest, ...change }),
})
const withIdToken = (name: string, idToken: (forger: TokenForger) => unknown): MaliciousCase => ({ name, idToken })
const withTokenResponse = (name: string, token: (response: ServerResponse, honest: Json) => void): MaliciousCase => ({
  name,
  token,
})
const sendJson = (response: ServerResponse, status: number, body: string) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
const seconds = (offset: number) => Math.floor(Date.now() / 1_000) + offset

const wrongClaims: MaliciousCase[] = [
  withClaims('another nonce', { nonce: 'another' }),
  withClaims('an empty nonce', { nonce: '' }),
  withClaims('a nonce that is an array', { nonce: ['a'] }),
  withoutClaim('nonce'),
  withClaims('another audience', { aud: 'other-client' }),
  withClaims('an array of other audiences', { aud: ['one', 'two'] }),
  withClaims('an audience with the same prefix', { aud: 'tributary-2' }),
  withoutClaim('aud'),
  withClaims('another authorized party', { azp: 'other-client' }),
  withClaims('several audiences and no authorized party', { aud: ['tributary', 'other-client'] }),
  withClaims('several audiences and another authorized party', { aud: ['tributary', 'other'], azp: 'other' }),
  withClaims('another issuer', { iss: 'https://accounts.google.com' }),
  withIdToken('an issuer with a trailing slash', ({ sign, claims }) => sign({ ...claims, iss: `${claims.iss}/` })),
  withoutClaim('iss'),
  withClaims('expired an hour ago', { exp: seconds(-3_600), iat: seconds(-7_200) }),
  withClaims('an expiry that is a string', { exp: 'never' }),
  withoutClaim('exp'),
  withClaims('issued in the future', { iat: seconds(3_600), exp: seconds(7_200) }),
  withClaims('issued yesterday', { iat: seconds(-86_400), exp: seconds(3_600) }),
  withoutClaim('iat'),
  withClaims('not before tomorrow', { nbf: seconds(86_400) }),
  withoutClaim('sub'),
  withClaims('a subject that is a number', { sub: 7 }),
  withClaims('an empty subject', { sub: '' }),
  withClaims('a subject with a NUL character', { sub: 'a\u0000b' }),
]

const wrongSignatures: MaliciousCase[] = [
  withIdToken('unsigned', ({ claims }) => `${encode({ alg: 'none' })}.${encode(claims)}.`),
  withIdToken(
    'unsigned, algorithm in capitals',
    ({ claims }) => `${encode({ alg: 'NONE', kid: 'rsa' })}.${encode(claims)}.`,
  ),
  withIdToken('signed with the client secret', ({ sign, claims, clientSecret }) =>
    sign(claims, { alg: 'HS256' }, Buffer.from(clientSecret)),
  ),
  withIdToken('signed with the public key as HMAC secret', ({ sign, claims, keys }) =>
    sign(claims, { alg: 'HS256' }, Buffer.from(JSON.stringify(keys.published[0]))),
  ),
  withIdToken('signed by an attacker', ({ sign, claims, keys }) => sign(claims, {}, keys.attacker.privateKey)),
  withIdToken('an unknown key id', ({ sign, claims, keys }) =>
    sign(claims, { kid: 'unknown' }, keys.attacker.privateKey),
  ),
  withIdToken('an embedded key', ({ sign, claims, keys }) =>
    sign(claims, { jwk: keys.attackerJwk }, keys.attacker.privateKey),
  ),
  withIdToken('an embedded key without key id', ({ sign, claims, keys }) =>
    sign(claims, { kid: undefined, jwk: keys.attackerJwk }, keys.attacker.privateKey),
  ),
  withIdToken('a key at another URL', ({ sign, claims, keys }) =>
    sign(claims, { jku: 'http://127.0.0.1:1/keys' }, keys.attacker.privateKey),
  ),
  withIdToken('an algorithm that was not agreed', ({ sign, claims, keys }) =>
    sign(claims, { alg: 'PS256' }, keys.rsa.privateKey).catch(
      () => `${encode({ alg: 'PS256', kid: 'rsa' })}.${encode(claims)}.AA`,
    ),
  ),
  withIdToken('an unknown critical header', ({ sign, claims }) =>
    sign(claims, { crit: ['b64'], b64: true }).catch(
      () => `${encode({ alg: 'RS256', kid: 'rsa', crit: ['exp'], exp: 1 })}.${encode(claims)}.AA`,
    ),
  ),
  withIdToken('claims changed after signing', async ({ sign, claims }) => {
    const [header, , signature] = (await sign(claims)).split('.')
    return `${header}.${encode({ ...claims, sub: 'admin' })}.${signature}`
  }),
  withIdToken('a missing signature', async ({ sign, claims }) => (await sign(claims)).replace(/[^.]+$/, '')),
  withIdToken('encrypted', () => 'a.b.c.d.e'),
  withIdToken('no token', () => undefined),
  withIdToken('a number', () => 17),
  withIdToken('nonsense', () => 'nonsense'),
]

const wrongMetadata: MaliciousCase[] = [
  withMetadata('metadata of another issuer', { issuer: 'https://accounts.google.com' }),
  {
    name: 'metadata with a trailing slash in the issuer',
    metadata: (honest) => ({ ...honest, issuer: `${honest.issuer}/` }),
  },
  withMetadata('no issuer', { issuer: undefined }),
  withMetadata('no token endpoint', { token_endpoint: undefined }),
  withMetadata('a token endpoint that is not a URL', { token_endpoint: 'nowhere' }),
  withMetadata('a token endpoint with a file URL', { token_endpoint: 'file:///etc/passwd' }),
  withMetadata('no keys', { jwks_uri: undefined }),
  withMetadata('keys with a file URL', { jwks_uri: 'file:///etc/passwd' }),
  { name: 'metadata that is an array', metadata: () => [] },
  { name: 'metadata that is null', metadata: () => null },
  { name: 'a key set without keys', keySet: () => ({}) },
  { name: 'a key set that is a string', keySet: () => ({ keys: 'many' }) },
  { name: 'an empty key set', keySet: () => ({ keys: [] }) },
  { name: 'malformed keys', keySet: () => ({ keys: [{ kty: 'RSA', kid: 'rsa', n: 'AQAB', e: '' }] }) },
  { name: 'a key endpoint that fails', keySetResponse: (response) => sendJson(response, 500, '{}') },
  {
    name: 'a key endpoint that redirects',
    keySetResponse: (response) => response.writeHead(302, { location: '/' }).end(),
  },
  { name: 'another issuer in the callback', returned: { iss: 'https://accounts.google.com' } },
  withMetadata('a missing issuer in the callback although announced', {
    authorization_response_iss_parameter_supported: true,
  }),
  { name: 'no code', returned: { code: '' } },
]

const wrongTokenResponses: MaliciousCase[] = [
  withTokenResponse('a redirect', (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()),
  withTokenResponse('an error response', (response) =>
    sendJson(response, 400, '{"error":"invalid_grant","error_description":"<b>no</b>"}'),
  ),
  withTokenResponse('a server error', (response) => sendJson(response, 503, 'down')),
  withTokenResponse('no JSON', (response) => sendJson(response, 200, '<html>')),
  withTokenResponse('an empty body', (response) => sendJson(response, 200, '')),
  withTokenResponse('no content', (response) => response.writeHead(204).end()),
  withTokenResponse('an oversized response', (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(Buffer.concat([Buffer.from('{"x":"'), randomBytes(2_000_000)]))
  }),
  withTokenResponse('an unrequested content encoding', (response, honest) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(gzipSync(JSON.stringify(honest)))
  }),
  withTokenResponse('a closed connection', (response) => response.destroy()),
  withTokenResponse('a truncated response', (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"access_token"')
    setTimeout(() => response.destroy(), 20)
  }),
  withTokenResponse('another token type', (response, honest) =>
    sendJson(response, 200, JSON.stringify({ ...honest, token_type: 'mac' })),
  ),
  withTokenResponse('no access token', (response, { id_token }) =>
    sendJson(response, 200, JSON.stringify({ id_token })),
  ),
]

export const maliciousCases = [...wrongClaims, ...wrongSignatures, ...wrongMetadata, ...wrongTokenResponses]
