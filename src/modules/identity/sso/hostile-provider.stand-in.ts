import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

type Keys = Awaited<ReturnType<typeof makeKeys>>
type Json = Record<string, unknown>

/** What a case may know when it makes up an ID token. */
export type Forger = {
  keys: Keys
  clientId: string
  clientSecret: string
  /** What an honest provider would say. */
  claims: JWTPayload & Json
  sign(claims: Json, header?: Json, key?: Parameters<SignJWT['sign']>[0]): Promise<string>
}

/** Where a provider departs from what is right. Everything else it does as it should. */
export type Deceit = {
  idToken?(forger: Forger): Promise<unknown> | unknown
  metadata?(honest: Json): unknown
  keySet?(honest: { keys: Json[] }): unknown
  /** Instead of the answer of the token endpoint. */
  token?(response: ServerResponse, honest: Json): void
  discovery?(response: ServerResponse): void
  keySetAnswer?(response: ServerResponse): void
}

async function makeKeys() {
  const rsa = await generateKeyPair('RS256', { extractable: true })
  const ec = await generateKeyPair('ES256', { extractable: true })
  const stranger = await generateKeyPair('RS256', { extractable: true })
  const published = [
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(ec.publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' },
  ]
  return { rsa, ec, stranger, published, strangerJwk: await exportJWK(stranger.publicKey) }
}

/** Many providers on one port of loopback, each under a path of its own, and each as honest as it is told to be. */
export async function startHostileProvider({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const keys = await makeKeys()
  const deceits = new Map<string, Deceit>()
  const claimsOf = new Map<string, JWTPayload & Json>()
  const asked: string[] = []
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', ...rest] = (request.url ?? '').split('?')[0]!.split('/')
    const [deceit, issuer, place] = [deceits.get(name) ?? {}, `${base}/${name}`, rest.join('/')]
    await request.toArray()
    asked.push(`${name} ${place}`)
    const json = (value: unknown) =>
      response
        .setHeader('content-type', 'application/json')
        .end(typeof value === 'string' ? value : JSON.stringify(value))
    if (place === '.well-known/openid-configuration') {
      const honest = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      }
      return void (deceit.discovery?.(response) ?? json(deceit.metadata ? deceit.metadata(honest) : honest))
    }
    if (place === 'keys') {
      const honest = { keys: keys.published }
      return void (deceit.keySetAnswer?.(response) ?? json(deceit.keySet ? deceit.keySet(honest) : honest))
    }
    const honest = { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: await idTokenOf(name, deceit) }
    if (deceit.token) deceit.token(response, honest)
    else json(honest)
  }

  async function idTokenOf(name: string, { idToken }: Deceit): Promise<unknown> {
    const claims = claimsOf.get(name) ?? {}
    const sign: Forger['sign'] = (given, header = {}, key = keys.rsa.privateKey) =>
      new SignJWT(given as JWTPayload).setProtectedHeader({ alg: 'RS256', kid: 'rsa', ...header }).sign(key)
    return idToken ? await idToken({ keys, clientId, clientSecret, claims, sign }) : await sign(claims)
  }

  return {
    client: { id: clientId, secret: clientSecret },
    strangerJwk: keys.strangerJwk,
    /** Which addresses were asked for, in order. */
    asked,
    issuerOf: (name: string) => `${base}/${name}`,
    deceive: (name: string, deceit: Deceit) => deceits.set(name, deceit),
    /** What an honest token says to whoever comes with this nonce. */
    vouch(name: string, { nonce, email, now }: { nonce: string; email: string; now: Date }) {
      const iat = Math.floor(now.getTime() / 1_000)
      const who = { iss: `${base}/${name}`, sub: `subject-${name}`, aud: clientId, email, email_verified: true }
      claimsOf.set(name, { ...who, nonce, iat, exp: iat + 300 })
    },
  }
}
