import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { type Context, Provider } from 'oidc-provider'
import { newSecretToken } from '#platform/secrets'
import { freePort } from './processes.ts'

/** What the provider says of somebody, besides who it is. */
export type Claims = Record<string, unknown>

type Wanted = { port?: number; redirectUris: string[] }

/**
 * A real OpenID Connect provider on loopback, in place of Google or Okta. Whoever names themselves at its sign-in page is
 * believed; of those it does not know it says what `stranger` says.
 */
export async function startIdentityProvider({ port: preferred, redirectUris }: Wanted) {
  const port = await freePort(preferred)
  const issuer = `http://127.0.0.1:${port}`
  const client = { id: 'tributary', secret: newSecretToken() }
  const people = new Map<string, Claims>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [await newKey()] },
    cookies: { keys: [newSecretToken()] },
    claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified'], profile: ['name', 'hd'] },
    // As Google and Okta do: what was asked for stands in the token itself.
    conformIdTokenClaims: false,
    ttl: { Session: 3_600, Interaction: 3_600, Grant: 3_600, IdToken: 3_600, AccessToken: 3_600 },
    loadExistingGrant: grantEverything,
    findAccount: (_context: unknown, login: string) => ({
      accountId: login,
      claims: () => ({ sub: login, ...(people.get(login) ?? stranger(login)) }),
    }),
  })
  const server = createServer(provider.callback()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    issuer,
    client,
    people,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const stranger = (login: string): Claims => ({
  email: login.includes('@') ? login : `${login}@demo.example`,
  email_verified: true,
  name: login.split('@')[0],
})

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }
}

/** Nobody is asked whether we may know who they are. */
async function grantEverything({ oidc }: Context) {
  const { clientId } = oidc.client
  const given = oidc.session.grantIdFor(clientId)
  if (given) return await oidc.provider.Grant.find(given)
  const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}
