import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Deceit, Forger } from './hostile-provider.stand-in.ts'

type Json = Record<string, unknown>
export type Case = Deceit & { name: string /** What the browser brings back besides. */; returned?: Json }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const saying = (name: string, change: Json): Case => ({
  name,
  idToken: ({ sign, claims }) => sign({ ...claims, ...change }),
})
const without = (claim: string): Case => ({
  name: `no ${claim}`,
  idToken: ({ sign, claims: { [claim]: _, ...rest } }) => sign(rest),
})
const withMetadata = (name: string, change: Json): Case => ({ name, metadata: (honest) => ({ ...honest, ...change }) })
const raw = (name: string, idToken: (forger: Forger) => unknown): Case => ({ name, idToken })
const answered = (name: string, token: (response: ServerResponse, honest: Json) => void): Case => ({ name, token })
const plainly = (response: ServerResponse, status: number, body: string) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
const seconds = (offset: number) => Math.floor(Date.now() / 1_000) + offset

/** ID tokens that say something wrong. */
const wrongClaims: Case[] = [
  saying('another nonce', { nonce: 'another' }),
  saying('an empty nonce', { nonce: '' }),
  saying('a nonce that is a list', { nonce: ['a'] }),
  without('nonce'),
  saying('another audience', { aud: 'somebody-else' }),
  saying('a list of other audiences', { aud: ['one', 'two'] }),
  saying('an audience that only begins alike', { aud: 'tributary-2' }),
  without('aud'),
  saying('another authorised party', { azp: 'somebody-else' }),
  saying('several audiences and no authorised party', { aud: ['tributary', 'somebody-else'] }),
  saying('several audiences and another authorised party', { aud: ['tributary', 'other'], azp: 'other' }),
  saying('another issuer', { iss: 'https://accounts.google.com' }),
  raw('an issuer with a slash more', ({ sign, claims }) => sign({ ...claims, iss: `${claims.iss}/` })),
  without('iss'),
  saying('expired an hour ago', { exp: seconds(-3_600), iat: seconds(-7_200) }),
  saying('an expiry that is text', { exp: 'never' }),
  without('exp'),
  saying('issued in an hour', { iat: seconds(3_600), exp: seconds(7_200) }),
  saying('issued yesterday', { iat: seconds(-86_400), exp: seconds(3_600) }),
  without('iat'),
  saying('not before tomorrow', { nbf: seconds(86_400) }),
  without('sub'),
  saying('a subject that is a number', { sub: 7 }),
  saying('an empty subject', { sub: '' }),
  saying('a subject nobody could store', { sub: 'a\u0000b' }),
]

/** ID tokens that somebody else signed, or nobody. */
const wrongSignatures: Case[] = [
  raw('signed by nobody', ({ claims }) => `${encode({ alg: 'none' })}.${encode(claims)}.`),
  raw('signed by nobody, in capitals', ({ claims }) => `${encode({ alg: 'NONE', kid: 'rsa' })}.${encode(claims)}.`),
  raw('signed with the client secret', ({ sign, claims, clientSecret }) =>
    sign(claims, { alg: 'HS256' }, Buffer.from(clientSecret)),
  ),
  raw('signed with the public key as a secret', ({ sign, claims, keys }) =>
    sign(claims, { alg: 'HS256' }, Buffer.from(JSON.stringify(keys.published[0]))),
  ),
  raw('signed by a stranger', ({ sign, claims, keys }) => sign(claims, {}, keys.stranger.privateKey)),
  raw('a key nobody knows', ({ sign, claims, keys }) => sign(claims, { kid: 'unknown' }, keys.stranger.privateKey)),
  raw('a key brought along', ({ sign, claims, keys }) =>
    sign(claims, { jwk: keys.strangerJwk }, keys.stranger.privateKey),
  ),
  raw('a key brought along, and no name for it', ({ sign, claims, keys }) =>
    sign(claims, { kid: undefined, jwk: keys.strangerJwk }, keys.stranger.privateKey),
  ),
  raw('a key to be fetched elsewhere', ({ sign, claims, keys }) =>
    sign(claims, { jku: 'http://127.0.0.1:1/keys' }, keys.stranger.privateKey),
  ),
  raw('a stronger algorithm than agreed', ({ sign, claims, keys }) =>
    sign(claims, { alg: 'PS256' }, keys.rsa.privateKey).catch(
      () => `${encode({ alg: 'PS256', kid: 'rsa' })}.${encode(claims)}.AA`,
    ),
  ),
  raw('a header one must understand', ({ sign, claims }) =>
    sign(claims, { crit: ['b64'], b64: true }).catch(
      () => `${encode({ alg: 'RS256', kid: 'rsa', crit: ['exp'], exp: 1 })}.${encode(claims)}.AA`,
    ),
  ),
  raw('claims changed after signing', async ({ sign, claims }) => {
    const [header, , signature] = (await sign(claims)).split('.')
    return `${header}.${encode({ ...claims, sub: 'admin' })}.${signature}`
  }),
  raw('the signature cut off', async ({ sign, claims }) => (await sign(claims)).replace(/[^.]+$/, '')),
  raw('encrypted', () => 'a.b.c.d.e'),
  raw('no token at all', () => undefined),
  raw('a number', () => 17),
  raw('nonsense', () => 'nonsense'),
]

/** Providers that describe themselves wrongly. */
const wrongMetadata: Case[] = [
  withMetadata('the description of another issuer', { issuer: 'https://accounts.google.com' }),
  { name: 'an issuer with another ending', metadata: (honest) => ({ ...honest, issuer: `${honest.issuer}/` }) },
  withMetadata('no issuer', { issuer: undefined }),
  withMetadata('no token endpoint', { token_endpoint: undefined }),
  withMetadata('a token endpoint that is no address', { token_endpoint: 'nowhere' }),
  withMetadata('a token endpoint in a file', { token_endpoint: 'file:///etc/passwd' }),
  withMetadata('no keys', { jwks_uri: undefined }),
  withMetadata('keys in a file', { jwks_uri: 'file:///etc/passwd' }),
  { name: 'a description that is a list', metadata: () => [] },
  { name: 'a description that is null', metadata: () => null },
  { name: 'keys without keys', keySet: () => ({}) },
  { name: 'keys that are text', keySet: () => ({ keys: 'many' }) },
  { name: 'an empty set of keys', keySet: () => ({ keys: [] }) },
  { name: 'keys that are broken', keySet: () => ({ keys: [{ kty: 'RSA', kid: 'rsa', n: 'AQAB', e: '' }] }) },
  { name: 'keys that fail', keySetAnswer: (response) => plainly(response, 500, '{}') },
  { name: 'a redirect to other keys', keySetAnswer: (response) => response.writeHead(302, { location: '/' }).end() },
  { name: 'the word of another issuer in the address', returned: { iss: 'https://accounts.google.com' } },
  withMetadata('no word of the issuer although promised', { authorization_response_iss_parameter_supported: true }),
  { name: 'no code', returned: { code: '' } },
]

/** Token endpoints that do not do their part. */
const wrongAnswers: Case[] = [
  answered('a redirect', (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()),
  answered('a refusal', (response) =>
    plainly(response, 400, '{"error":"invalid_grant","error_description":"<b>no</b>"}'),
  ),
  answered('a failure', (response) => plainly(response, 503, 'down')),
  answered('no JSON', (response) => plainly(response, 200, '<html>')),
  answered('nothing', (response) => plainly(response, 200, '')),
  answered('no content', (response) => response.writeHead(204).end()),
  answered('an answer beyond all measure', (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(Buffer.concat([Buffer.from('{"x":"'), randomBytes(2_000_000)]))
  }),
  answered('packed although not asked for', (response, honest) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(gzipSync(JSON.stringify(honest)))
  }),
  answered('the line cut', (response) => response.destroy()),
  answered('half an answer', (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"access_token"')
    setTimeout(() => response.destroy(), 20)
  }),
  answered('another kind of token', (response, honest) =>
    plainly(response, 200, JSON.stringify({ ...honest, token_type: 'mac' })),
  ),
  answered('no access token', (response, { id_token }) => plainly(response, 200, JSON.stringify({ id_token }))),
]

export const deceits = [...wrongClaims, ...wrongSignatures, ...wrongMetadata, ...wrongAnswers]
