import { secondsLater } from '#platform/clock'
import type { Workspace } from '#platform/http'
import { newId } from '#platform/ids'
import { generateSecretToken, hashToken } from '#platform/secrets'
import type { ProviderName } from '../../credentials/oidc/provider-clients.service.ts'
import { findProviderClient, ssoNotConfigured } from '../../credentials/oidc/provider-clients.service.ts'
import { describeProviderError } from '../../credentials/oidc/provider-documents.ts'
import type { InTenant } from '../../credentials/tokens/auth-services.ts'
import { insertFlow } from './sso.queries.ts'
import type { StartSignOnQuery } from './sso.schemas.ts'
import { failureUrl, flowTtlSeconds } from './sso-profile.rules.ts'
import { browserCookie, type SsoServices } from './sso-services.ts'

type StartSignOnContext = { open: InTenant; tenant: Workspace; provider: ProviderName }

/** Uses two transactions, because the provider metadata may be fetched in between. */
export async function startSignOn(
  sso: SsoServices,
  { open, tenant, provider }: StartSignOnContext,
  { return_to, prompt }: StartSignOnQuery,
) {
  const client = await open((tx) => findProviderClient(tx, sso, tenant, provider))
  if (!client) throw ssoNotConfigured()

  const id = newId()
  const expiresAt = secondsLater(sso.clock.now(), flowTtlSeconds)
  const [nonce, codeVerifier, browserSecret] = [generateSecretToken(), generateSecretToken(), generateSecretToken()]
  const state = await sso.tokens.signSsoState({ slug: tenant.slug, flowId: id, provider }, expiresAt)
  // Forces a new authentication, however recent the last one is.
  const extraParams: Record<string, string> = prompt ? { prompt, max_age: '0' } : {}
  const url = await sso.oidc
    .authorizationUrl(client, { state, nonce, codeVerifier }, extraParams)
    .catch((error: unknown) => {
      sso.log.warn(
        { tenant_id: tenant.id, provider, reason: describeProviderError(error) },
        'single sign-on could not be started',
      )
    })
  if (!url) return { location: failureUrl({ config: sso.config, slug: tenant.slug }, 'provider_error') }

  await open((tx) =>
    insertFlow(tx, {
      id,
      provider,
      nonce,
      code_verifier: codeVerifier,
      browser_hash: hashToken(browserSecret),
      return_to: return_to ?? '/',
      intent: prompt ? 'reauthenticate' : 'login',
      expires_at: expiresAt,
    }),
  )
  return { location: url.href, cookie: browserCookie(sso.config, id, browserSecret) }
}
