import type { SignedIn } from '#platform/access'
import { newId } from '#platform/ids'
import { hashToken, isSameSecret } from '#platform/secrets'
import { actorFor, type InTenant } from '../auth/auth-services.ts'
import { type Issue, tokenResponse } from '../auth/token-response.ts'
import { endWhatItOpened, enterByCode, findHandOff, type HandOff, renewByCode } from './hand-off.service.ts'
import { invalidCode, secretIn, spentCookie } from './sso.rules.ts'
import type { SsoServices } from './sso-services.ts'

type Bearer = { open: InTenant; actor: SignedIn | undefined; cookies: string | undefined }

/**
 * Gives tokens for the code a sign-on ended with, once, and only to the browser it began in. Whoever comes second ends what the
 * first one got: the code is in two hands. The refusal is thrown when that has been written down.
 */
export async function exchangeCode(sso: SsoServices, bearer: Bearer, code: string) {
  const handOff = await bearer.open((tx) => findHandOff(tx, code))
  if (!handOff) throw invalidCode()
  const issue = handOff.token.used_at ? undefined : await useCode(sso, bearer, handOff)
  if (!issue) {
    await bearer.open((tx) => endWhatItOpened(tx, handOff.flow.id))
    throw invalidCode()
  }
  return { tokens: await tokenResponse(sso, issue), cookie: spentCookie(sso.config, handOff.flow.id) }
}

/** Undefined when somebody else was quicker. */
async function useCode(sso: SsoServices, bearer: Bearer, handOff: HandOff): Promise<Issue | undefined> {
  const { token, flow, account, visitor } = handOff
  const secret = secretIn(bearer.cookies, sso.config, flow.id)
  if (!secret || !isSameSecret(hashToken(secret), flow.browser_hash)) throw invalidCode()
  if (token.expires_at <= sso.clock.now()) throw invalidCode()

  const { actor } = bearer
  if (flow.intent === 'reauthenticate' && actor) return await bearer.open((tx) => renewByCode(sso, tx, actor, handOff))
  const { tenantId, trace } = visitor
  const self = actorFor({ tenantId, userId: account.id, role: account.role, sessionId: newId(), trace })
  return await sso.inNameOf(self, (tx) => enterByCode(sso, tx, handOff))
}
