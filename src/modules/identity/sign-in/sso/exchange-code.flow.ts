import type { UserActor } from '#platform/access'
import { newId } from '#platform/ids'
import { areSecretsEqual, hashToken } from '#platform/secrets'
import { createUserActor, type InTenant } from '../../credentials/tokens/auth-services.ts'
import { createTokenResponse, type SessionGrant } from '../../credentials/tokens/token-response.ts'
import {
  createSessionByCode,
  findHandOff,
  type HandOff,
  reauthenticateByCode,
  revokeSessionOfFlow,
} from './hand-off.service.ts'
import { invalidSsoCode } from './sso-profile.rules.ts'
import { expiredCookie, readBrowserSecret, type SsoServices } from './sso-services.ts'

type CodeBearer = { open: InTenant; actor: UserActor | undefined; cookies: string | undefined }

/** Works once and only in the browser that started the sign-in. A second use revokes the session of the first, as the code was leaked. */
export async function exchangeSsoCode(sso: SsoServices, bearer: CodeBearer, code: string) {
  const handOff = await bearer.open((tx) => findHandOff(tx, code))
  if (!handOff) throw invalidSsoCode()
  const grant = handOff.token.used_at ? undefined : await useCode(sso, bearer, handOff)
  if (!grant) {
    await bearer.open((tx) => revokeSessionOfFlow(tx, handOff.flow.id))
    throw invalidSsoCode()
  }
  return { tokens: await createTokenResponse(sso, grant), cookie: expiredCookie(sso.config, handOff.flow.id) }
}

async function useCode(sso: SsoServices, bearer: CodeBearer, handOff: HandOff): Promise<SessionGrant | undefined> {
  const { token, flow, account, publicActor } = handOff
  const secret = readBrowserSecret(bearer.cookies, sso.config, flow.id)
  if (!secret || !areSecretsEqual(hashToken(secret), flow.browser_hash)) throw invalidSsoCode()
  if (token.expires_at <= sso.clock.now()) throw invalidSsoCode()

  const { actor } = bearer
  if (flow.intent === 'reauthenticate' && actor)
    return await bearer.open((tx) => reauthenticateByCode(sso, tx, actor, handOff))
  const { tenantId, trace } = publicActor
  const userActor = createUserActor({ tenantId, userId: account.id, role: account.role, sessionId: newId(), trace })
  return await sso.inTenantAs(userActor, (tx) => createSessionByCode(sso, tx, handOff))
}
