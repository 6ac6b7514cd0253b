import type { JWTPayload } from 'jose'
import { recordDenied } from '#platform/audit'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Workspace } from '#platform/http'
import type { InTenant } from '../auth/auth-services.ts'
import { recordLogin } from '../auth/login-events.service.ts'
import { issueOneTimeToken } from '../auth/one-time-tokens.service.ts'
import type { SsoState } from '../auth/tokens.ts'
import { admitPerson } from './admit-person.service.ts'
import { isProvenSince, type Person, personIn } from './person.rules.ts'
import { findClient, type ProviderClient } from './provider-clients.service.ts'
import { troubleOf } from './provider-documents.ts'
import { type Flow, useFlow } from './sso.queries.ts'
import { codeSeconds, completionUrl, failureUrl, flowSeconds, type SsoError, stateInvalid } from './sso.rules.ts'
import type { ProviderName, Return } from './sso.schemas.ts'
import type { SsoServices } from './sso-services.ts'

/** Which sign-on of ours this is about. Nothing else in the request is believed before that. */
export async function readReturn(
  { tokens }: SsoServices,
  provider: ProviderName,
  { state }: Return,
): Promise<SsoState> {
  const read = await tokens.readState(state ?? '').catch(() => undefined)
  if (read?.provider !== provider) throw stateInvalid()
  return read
}

type Back = { open: InTenant; tenant: Workspace; provider: ProviderName; flowId: string; returned: Return }
type Outcome = { code: string; returnTo: string } | { refused: SsoError }

/** Takes a browser back from a provider, and tells where it is to go. Nobody is signed in yet: that takes the code. */
export async function finishSignOn(sso: SsoServices, back: Back): Promise<string> {
  const place = { config: sso.config, slug: back.tenant.slug }
  const outcome = await arrive(sso, back)
  return 'refused' in outcome
    ? failureUrl(place, outcome.refused)
    : completionUrl(place, outcome.code, outcome.returnTo)
}

async function arrive(sso: SsoServices, back: Back): Promise<Outcome> {
  const { open, tenant, provider, flowId, returned } = back
  const started = await open(async (tx) => {
    const flow = await useFlow(tx, flowId, provider, sso.clock.now())
    return flow && { flow, client: await findClient(tx, sso, tenant, provider) }
  })
  if (!started) return { refused: 'flow_expired' }
  const { flow, client } = started

  const refuse = async (refused: SsoError, trouble: string): Promise<Outcome> => {
    sso.log.warn({ tenant_id: tenant.id, provider, refused, trouble }, 'a sign-on came to nothing')
    await open((tx) => recordDenied(tx, 'login.failed', { id: null, reason: refused }))
    return { refused }
  }
  if (returned.error !== undefined) return await refuse('access_denied', saidBy(returned))
  if (!client) return await refuse('provider_error', 'The provider was switched off meanwhile.')
  const claims = await redeem(sso, client, flow, returned).catch(troubleOf)
  if (typeof claims === 'string') return await refuse('provider_error', claims)
  const person = personIn(claims)
  if (!person) return await refuse('provider_error', 'The provider names nobody.')
  const since = secondsLater(flow.expires_at, -flowSeconds)
  if (flow.intent === 'reauthenticate' && !isProvenSince(provider, person, since))
    return await refuse('provider_error', 'The provider did not ask again who it is.')

  return await onceMore(() => open((tx) => handOver(tx, { client, person, flow }, sso.clock.now())))
}

const saidBy = ({ error, error_description }: Return) => `${error}: ${error_description ?? ''}`.slice(0, 300)

async function redeem(sso: SsoServices, client: ProviderClient, flow: Flow, returned: Return): Promise<JWTPayload> {
  const sent = { state: returned.state!, nonce: flow.nonce, codeVerifier: flow.code_verifier }
  const { code = '', iss } = returned
  return await sso.oidc.redeem(client, sent, { code, ...(iss !== undefined && { iss }) })
}

/** Of two first sign-ons of one person the later finds, at its second try, what the other has made. */
async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  return await work().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'already_exists') return work()
    throw error
  })
}

type Arrived = { client: ProviderClient; person: Person; flow: Flow }

async function handOver(tx: TenantTx, { client, person, flow }: Arrived, now: Date): Promise<Outcome> {
  const { provider, issuer } = client
  const { account, refused } = await admitPerson(tx, { provider, issuer, person }, now)
  if (refused) {
    const about = { userId: account?.id ?? null, email: person.email ?? '' }
    await recordLogin(tx, { ...about, outcome: 'failure', reason: refused, method: provider })
    await recordDenied(tx, 'login.failed', { id: about.userId, reason: refused })
    return { refused }
  }
  const code = await issueOneTimeToken(tx, {
    kind: 'sso_handoff',
    userId: account.id,
    issuedAt: now,
    expiresAt: secondsLater(now, codeSeconds),
    meta: { flow_id: flow.id, password_changed_at: account.password_changed_at },
  })
  return { code, returnTo: flow.return_to }
}
