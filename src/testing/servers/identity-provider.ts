import { createServer, type RequestListener } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import type { Context } from 'oidc-provider'
import { generateSecretToken } from '#platform/secrets'
import { listenOnFreePort } from './processes.ts'

export type Claims = Record<string, unknown>

type ProviderOptions = { port?: number; redirectUris: string[]; clientSecret?: string }

/**
 * Starts a real OpenID Connect provider on loopback that replaces Google or Okta. Its sign-in page accepts any login; logins that
 * are not in `users` get default claims.
 */
export async function startIdentityProvider({
  port: preferred,
  redirectUris,
  clientSecret = generateSecretToken(),
}: ProviderOptions) {
  // Loads the library only here: most test files import this folder and need no provider.
  const { Provider } = await import('oidc-provider')
  let handleRequest: RequestListener | undefined
  const server = createServer((request, response) => handleRequest?.(request, response))
  const port = await listenOnFreePort(server, preferred)
  const issuer = `http://127.0.0.1:${port}`
  const client = { id: 'tributary', secret: clientSecret }
  const signingKey = await generateSigningKey()
  const people = new Map<string, Claims>()
  const provider = withoutWarnings(
    () =>
      new Provider(issuer, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            redirect_uris: redirectUris,
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        jwks: { keys: [signingKey] },
        cookies: { keys: [generateSecretToken()] },
        claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified'], profile: ['name', 'hd'] },
        // Google and Okta put the requested claims into the ID token.
        conformIdTokenClaims: false,
        ttl: { Session: 3_600, Interaction: 3_600, Grant: 3_600, IdToken: 3_600, AccessToken: 3_600 },
        loadExistingGrant: grantEverything,
        findAccount: (_context: unknown, login: string) => ({
          accountId: login,
          claims: () => ({ sub: login, ...(people.get(login) ?? defaultClaims(login)) }),
        }),
      }),
  )
  handleRequest = provider.callback()
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

/** The library warns on the console that it runs with development settings, as it should here. */
function withoutWarnings<T>(create: () => T): T {
  const { warn } = console
  console.warn = () => {}
  try {
    return create()
  } finally {
    console.warn = warn
  }
}

function defaultClaims(login: string): Claims {
  const email = login.includes('@') ? login : `${login}@demo.example`
  return { email, email_verified: true, name: login.split('@')[0], hd: email.split('@')[1] }
}

async function generateSigningKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }
}

/** Skips the consent page. */
async function grantEverything({ oidc }: Context) {
  const { clientId } = oidc.client
  const grantId = oidc.session.grantIdFor(clientId)
  if (grantId) return await oidc.provider.Grant.find(grantId)
  const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}
