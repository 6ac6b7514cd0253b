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
import { keepAnswers } from './kept-answers.ts'
import type { ProviderClient } from './provider-clients.service.ts'
import { assertIssuer, fetchKeys, fetchMetadata, type ProviderMetadata, ProviderTrouble } from './provider-documents.ts'

const algorithms = ['RS256', 'ES256']
const toleranceSeconds = 30
const maxTokenAgeSeconds = 600

/** What goes out with a sign-on, and must come back as it went. */
export type Sent = { state: string; nonce: string; codeVerifier: string }
export type Returned = { code: string; iss?: string }

export type Oidc = {
  /** Where to send the browser. */
  authorizationUrl(client: ProviderClient, sent: Sent, wishes: Record<string, string>): Promise<URL>
  /** Turns what the browser brought back into what the provider vouches for. Rejects whatever is not exactly right. */
  redeem(client: ProviderClient, sent: Sent, returned: Returned): Promise<JWTPayload>
}

/** Speaks OpenID Connect with a provider. Everything leaves through the one way out for foreign addresses. */
export function openOidc({ egress, clock, config }: Pick<Services, 'egress' | 'clock' | 'config'>): Oidc {
  const metadata = keepAnswers(clock, (issuer) => fetchMetadata(egress, issuer))
  const keySets = keepAnswers(clock, (address) => fetchKeys(egress, address))
  const allowsHttp = config.SAFE_FETCH_ALLOW_PRIVATE

  async function discover({ issuer }: ProviderClient): Promise<ProviderMetadata> {
    const found = await metadata.get(issuer)
    assertIssuer(found, issuer)
    return found
  }

  /** A key nobody has seen yet may be a new one, so the keys are asked for once more, if that was not just done. */
  const keyAt =
    (address: string): JWTVerifyGetKey =>
    async (header, token) => {
      try {
        return await (await keySets.get(address))(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        return await (await keySets.getAnew(address))(header, token)
      }
    }

  return {
    async authorizationUrl(client, { state, nonce, codeVerifier }, wishes) {
      const configuration = configurationOf(client, await discover(client), egress, allowsHttp)
      return buildAuthorizationUrl(configuration, {
        ...wishes,
        scope: 'openid email profile',
        redirect_uri: client.redirectUri,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
    },

    async redeem(client, { state, nonce, codeVerifier }, returned) {
      const provider = await discover(client)
      const configuration = configurationOf(client, provider, egress, allowsHttp)
      const address = new URL(client.redirectUri)
      for (const [name, value] of Object.entries({ ...returned, state })) address.searchParams.set(name, value)
      const { id_token } = await authorizationCodeGrant(configuration, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      const { payload } = await jwtVerify(id_token!, keyAt(provider.jwks_uri), {
        algorithms,
        issuer: client.issuer,
        audience: client.clientId,
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
        maxTokenAge: maxTokenAgeSeconds,
        clockTolerance: toleranceSeconds,
        currentDate: clock.now(),
      })
      // With one audience the library lets any authorised party pass.
      if (payload.azp !== undefined && payload.azp !== client.clientId)
        throw new ProviderTrouble('The token was made for somebody else.')
      return payload
    },
  }
}

function configurationOf(client: ProviderClient, provider: ProviderMetadata, egress: Egress, allowsHttp: boolean) {
  const { clientId, clientSecret } = client
  const { token_endpoint_auth_methods_supported: ways } = provider
  const prove = !ways || ways.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic
  const server = { ...provider, id_token_signing_alg_values_supported: algorithms }
  const configuration = new Configuration(server, clientId, { client_secret: clientSecret }, prove(clientSecret))
  if (allowsHttp) allowInsecureRequests(configuration)
  configuration[customFetch] = async (url, { method, headers, body }) => {
    const sent = { method: method as 'GET' | 'POST', headers, ...(body && { body: String(body) }) }
    const answer = await egress.safeFetch(url, sent)
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: answer.headers })
  }
  return configuration
}
