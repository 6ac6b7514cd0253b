import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

type Keys = Awaited<ReturnType<typeof createKeys>>
type Json = Record<string, unknown>

export type TokenForger = {
  keys: Keys
  clientId: string
  clientSecret: string
  claims: JWTPayload & Json
  sign(claims: Json, header?: Json, key?: Parameters<SignJWT['sign']>[0]): Promise<string>
}

/** Deviations from correct behavior; everything else stays correct. */
export type MaliciousResponse = {
  idToken?(forger: TokenForger): Promise<unknown> | unknown
  metadata?(honest: Json): unknown
  keySet?(honest: { keys: Json[] }): unknown
  token?(response: ServerResponse, honest: Json): void
  discovery?(response: ServerResponse): void
  keySetResponse?(response: ServerResponse): void
}

async function createKeys() {
  const rsa = await generateKeyPair('RS256', { extractable: true })
  const ec = await generateKeyPair('ES256', { extractable: true })
  const attacker = await generateKeyPair('RS256', { extractable: true })
  const published = [
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(ec.publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' },
  ]
  return { rsa, ec, attacker, published, attackerJwk: await exportJWK(attacker.publicKey) }
}

/** Several providers on one loopback port, each under its own path with its own deviations. */
export async function startMaliciousProvider({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const keys = await createKeys()
  const responses = new Map<string, MaliciousResponse>()
  const claimsOf = new Map<string, JWTPayload & Json>()
  const requests: string[] = []
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', ...rest] = (request.url ?? '').split('?')[0]!.split('/')
    const [malicious, issuer, path] = [responses.get(name) ?? {}, `${base}/${name}`, rest.join('/')]
    await request.toArray()
    requests.push(`${name} ${path}`)
    const json = (value: unknown) =>
      response
        .setHeader('content-type', 'application/json')
        .end(typeof value === 'string' ? value : JSON.stringify(value))
    if (path === '.well-known/openid-configuration') {
      const honest = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      }
      return void (malicious.discovery?.(response) ?? json(malicious.metadata ? malicious.metadata(honest) : honest))
    }
    if (path === 'keys') {
      const honest = { keys: keys.published }
      return void (malicious.keySetResponse?.(response) ?? json(malicious.keySet ? malicious.keySet(honest) : honest))
    }
    const honest = {
      access_token: 'x',
      token_type: 'Bearer',
      expires_in: 60,
      id_token: await idTokenOf(name, malicious),
    }
    if (malicious.token) malicious.token(response, honest)
    else json(honest)
  }

  async function idTokenOf(name: string, { idToken }: MaliciousResponse): Promise<unknown> {
    const claims = claimsOf.get(name) ?? {}
    const sign: TokenForger['sign'] = (payload, header = {}, key = keys.rsa.privateKey) =>
      new SignJWT(payload as JWTPayload).setProtectedHeader({ alg: 'RS256', kid: 'rsa', ...header }).sign(key)
    return idToken ? await idToken({ keys, clientId, clientSecret, claims, sign }) : await sign(claims)
  }

  return {
    client: { id: clientId, secret: clientSecret },
    attackerJwk: keys.attackerJwk,
    requests,
    issuerOf: (name: string) => `${base}/${name}`,
    setResponse: (name: string, malicious: MaliciousResponse) => responses.set(name, malicious),
    setHonestClaims(name: string, { nonce, email, now }: { nonce: string; email: string; now: Date }) {
      const iat = Math.floor(now.getTime() / 1_000)
      const identity = { iss: `${base}/${name}`, sub: `subject-${name}`, aud: clientId, email, email_verified: true }
      claimsOf.set(name, { ...identity, nonce, iat, exp: iat + 300 })
    },
  }
}
