import { secondsLater } from '#platform/clock'
import type { Workspace } from '#platform/http'
import { newId } from '#platform/ids'
import { hashToken, newSecretToken } from '#platform/secrets'
import type { InTenant } from '../auth/auth-services.ts'
import { findClient, notConfigured } from './provider-clients.service.ts'
import { troubleOf } from './provider-documents.ts'
import { insertFlow } from './sso.queries.ts'
import { browserCookie, failureUrl, flowSeconds } from './sso.rules.ts'
import type { Departure, ProviderName } from './sso.schemas.ts'
import type { SsoServices } from './sso-services.ts'

type From = { open: InTenant; tenant: Workspace; provider: ProviderName }

/** Sends a browser to a provider. It takes two transactions, since the provider is asked in between where it wants people. */
export async function startSignOn(
  sso: SsoServices,
  { open, tenant, provider }: From,
  { return_to, prompt }: Departure,
) {
  const client = await open((tx) => findClient(tx, sso, tenant, provider))
  if (!client) throw notConfigured()

  const id = newId()
  const expiresAt = secondsLater(sso.clock.now(), flowSeconds)
  const [nonce, codeVerifier, browserSecret] = [newSecretToken(), newSecretToken(), newSecretToken()]
  const state = await sso.tokens.signState({ slug: tenant.slug, flowId: id, provider }, expiresAt)
  // Whoever confirms who they are must do it now, however lately they did.
  const wishes: Record<string, string> = prompt ? { prompt, max_age: '0' } : {}
  const url = await sso.oidc
    .authorizationUrl(client, { state, nonce, codeVerifier }, wishes)
    .catch((error: unknown) => {
      sso.log.warn({ tenant_id: tenant.id, provider, trouble: troubleOf(error) }, 'a sign-on could not be started')
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
