import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
} from 'openid-client'
import type { Egress } from '#platform/egress'
import type { Services } from '#platform/module'
import { cacheFetches } from './fetch-cache.ts'
import type { ProviderClient } from './provider-clients.service.ts'
import { assertIssuer, fetchKeySet, fetchMetadata, ProviderError, type ProviderMetadata } from './provider-documents.ts'

const algorithms = ['RS256', 'ES256']
const toleranceSeconds = 30
const maxTokenAgeSeconds = 600

export type FlowSecrets = { state: string; nonce: string; codeVerifier: string }
export type CallbackParams = { code: string; iss?: string }

export type OidcClient = {
  authorizationUrl(client: ProviderClient, secrets: FlowSecrets, extraParams: Record<string, string>): Promise<URL>
  exchangeAuthorizationCode(client: ProviderClient, secrets: FlowSecrets, params: CallbackParams): Promise<JWTPayload>
}

/** All requests go through egress, which blocks internal addresses. */
export function createOidcClient({ egress, clock, config }: Pick<Services, 'egress' | 'clock' | 'config'>): OidcClient {
  const metadata = cacheFetches(clock, (issuer) => fetchMetadata(egress, issuer))
  const keySets = cacheFetches(clock, (url) => fetchKeySet(egress, url))
  const allowsHttp = config.SAFE_FETCH_ALLOW_PRIVATE

  async function discover({ issuer }: ProviderClient): Promise<ProviderMetadata> {
    const document = await metadata.get(issuer)
    assertIssuer(document, issuer)
    return document
  }

  /** An unknown key id may belong to a new key, so the key set is fetched again (at most once per minute). */
  const keyFrom =
    (url: string): JWTVerifyGetKey =>
    async (header, token) => {
      try {
        return await (await keySets.get(url))(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        return await (await keySets.refetch(url))(header, token)
      }
    }

  return {
    async authorizationUrl(client, { state, nonce, codeVerifier }, extraParams) {
      const configuration = configurationOf(client, await discover(client), egress, allowsHttp)
      return buildAuthorizationUrl(configuration, {
        ...extraParams,
        scope: 'openid email profile',
        redirect_uri: client.redirectUri,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
    },

    async exchangeAuthorizationCode(client, { state, nonce, codeVerifier }, params) {
      const provider = await discover(client)
      const configuration = configurationOf(client, provider, egress, allowsHttp)
      const callbackUrl = new URL(client.redirectUri)
      for (const [name, value] of Object.entries({ ...params, state })) callbackUrl.searchParams.set(name, value)
      const { id_token } = await authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      const { payload } = await jwtVerify(id_token!, keyFrom(provider.jwks_uri), {
        algorithms,
        issuer: client.issuer,
        audience: client.clientId,
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
        maxTokenAge: maxTokenAgeSeconds,
        clockTolerance: toleranceSeconds,
        currentDate: clock.now(),
      })
      // openid-client checks `azp` only if the token has several audiences.
      if (payload.azp !== undefined && payload.azp !== client.clientId)
        throw new ProviderError('The ID token was issued to another client.')
      return payload
    },
  }
}

function configurationOf(client: ProviderClient, provider: ProviderMetadata, egress: Egress, allowsHttp: boolean) {
  const { clientId, clientSecret } = client
  const { token_endpoint_auth_methods_supported: authMethods } = provider
  const clientAuth = !authMethods || authMethods.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic
  const server = { ...provider, id_token_signing_alg_values_supported: algorithms }
  const configuration = new Configuration(server, clientId, { client_secret: clientSecret }, clientAuth(clientSecret))
  if (allowsHttp) allowInsecureRequests(configuration)
  configuration[customFetch] = async (url, { method, headers, body }) => {
    const request = { method: method as 'GET' | 'POST', headers, ...(body && { body: String(body) }) }
    const response = await egress.safeFetch(url, request)
    return new Response(new Uint8Array(response.body), { status: response.status, headers: response.headers })
  }
  return configuration
}
