import type { JWTPayload } from 'jose'
import { recordAuditDenial } from '#platform/audit'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Workspace } from '#platform/http'
import type { ProviderName } from '../../credentials/oidc/provider-clients.service.ts'
import { findProviderClient, type ProviderClient } from '../../credentials/oidc/provider-clients.service.ts'
import { describeProviderError } from '../../credentials/oidc/provider-documents.ts'
import type { InTenant } from '../../credentials/tokens/auth-services.ts'
import { createOneTimeToken } from '../../credentials/tokens/one-time-tokens.service.ts'
import type { SsoState } from '../../credentials/tokens/tokens.ts'
import { recordLoginEvent } from '../login/login-events.service.ts'
import { resolveSsoUser } from './resolve-sso-user.service.ts'
import { consumeFlow, type SsoFlow } from './sso.queries.ts'
import type { CallbackQuery } from './sso.schemas.ts'
import {
  codeTtlSeconds,
  completionUrl,
  failureUrl,
  flowTtlSeconds,
  invalidSsoState,
  isAuthenticatedSince,
  parseSsoProfile,
  type SsoError,
  type SsoProfile,
} from './sso-profile.rules.ts'
import type { SsoServices } from './sso-services.ts'

/** Verifies the signed state. No other parameter may be trusted before. */
export async function readCallbackState(
  { tokens }: SsoServices,
  provider: ProviderName,
  { state }: CallbackQuery,
): Promise<SsoState> {
  const verified = await tokens.verifySsoState(state ?? '').catch(() => undefined)
  if (verified?.provider !== provider) throw invalidSsoState()
  return verified
}

type SignOnCallback = {
  open: InTenant
  tenant: Workspace
  provider: ProviderName
  flowId: string
  params: CallbackQuery
}
type SignOnOutcome = { code: string; returnTo: string } | { ssoError: SsoError }

/** Returns the URL to redirect to. The user is not signed in until the browser exchanges the code. */
export async function finishSignOn(sso: SsoServices, callback: SignOnCallback): Promise<string> {
  const urlContext = { config: sso.config, slug: callback.tenant.slug }
  const outcome = await processCallback(sso, callback)
  return 'ssoError' in outcome
    ? failureUrl(urlContext, outcome.ssoError)
    : completionUrl(urlContext, outcome.code, outcome.returnTo)
}

async function processCallback(sso: SsoServices, callback: SignOnCallback): Promise<SignOnOutcome> {
  const { open, tenant, provider, flowId, params } = callback
  const started = await open(async (tx) => {
    const flow = await consumeFlow(tx, flowId, provider, sso.clock.now())
    return flow && { flow, client: await findProviderClient(tx, sso, tenant, provider) }
  })
  if (!started) return { ssoError: 'flow_expired' }
  const { flow, client } = started

  const reject = async (ssoError: SsoError, reason: string): Promise<SignOnOutcome> => {
    sso.log.warn({ tenant_id: tenant.id, provider, sso_error: ssoError, reason }, 'single sign-on failed')
    await open((tx) => recordAuditDenial(tx, 'login.failed', { id: null, reason: ssoError }))
    return { ssoError }
  }
  if (params.error !== undefined) return await reject('access_denied', describeProviderRefusal(params))
  if (!client) return await reject('provider_error', 'The provider was disabled during the sign-in.')
  const claims = await exchangeCallbackCode(sso, client, flow, params).catch(describeProviderError)
  if (typeof claims === 'string') return await reject('provider_error', claims)
  const profile = parseSsoProfile(claims)
  if (!profile) return await reject('provider_error', 'The ID token has no valid subject.')
  const since = secondsLater(flow.expires_at, -flowTtlSeconds)
  if (flow.intent === 'reauthenticate' && !isAuthenticatedSince(provider, profile, since))
    return await reject('provider_error', 'The provider did not authenticate the user again.')

  return await retryOnConflict(() => open((tx) => issueHandOffCode(tx, { client, profile, flow }, sso.clock.now())))
}

const describeProviderRefusal = ({ error, error_description }: CallbackQuery) =>
  `${error}: ${error_description ?? ''}`.slice(0, 300)

async function exchangeCallbackCode(
  sso: SsoServices,
  client: ProviderClient,
  flow: SsoFlow,
  params: CallbackQuery,
): Promise<JWTPayload> {
  const secrets = { state: params.state!, nonce: flow.nonce, codeVerifier: flow.code_verifier }
  const { code = '', iss } = params
  return await sso.oidc.exchangeAuthorizationCode(client, secrets, { code, ...(iss !== undefined && { iss }) })
}

/** Two concurrent first sign-ins of a user: the second attempt of the later one finds the account of the other. */
async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  return await work().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'already_exists') return work()
    throw error
  })
}

type VerifiedSignOn = { client: ProviderClient; profile: SsoProfile; flow: SsoFlow }

async function issueHandOffCode(
  tx: TenantTx,
  { client, profile, flow }: VerifiedSignOn,
  now: Date,
): Promise<SignOnOutcome> {
  const { provider, issuer } = client
  const { account, ssoError } = await resolveSsoUser(tx, { provider, issuer, profile }, now)
  if (ssoError) {
    const subject = { userId: account?.id ?? null, email: profile.email ?? '' }
    await recordLoginEvent(tx, { ...subject, outcome: 'failure', reason: ssoError, method: provider })
    await recordAuditDenial(tx, 'login.failed', { id: subject.userId, reason: ssoError })
    return { ssoError }
  }
  const code = await createOneTimeToken(tx, {
    kind: 'sso_handoff',
    userId: account.id,
    issuedAt: now,
    expiresAt: secondsLater(now, codeTtlSeconds),
    meta: { flow_id: flow.id, password_changed_at: account.password_changed_at },
  })
  return { code, returnTo: flow.return_to }
}
