import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { hashToken } from '#platform/secrets'
import { findOneTimeToken, markOneTimeTokenUsed } from '../../credentials/tokens/one-time-tokens.queries.ts'
import { getSessionGrant, type SessionGrant } from '../../credentials/tokens/token-response.ts'
import { getNewestRefreshToken } from '../../workspace/sessions/refresh-tokens.queries.ts'
import { type AuthMethod, lockSession, lockUserPresence } from '../../workspace/sessions/sessions.queries.ts'
import { revokeSessions } from '../../workspace/sessions/sessions.service.ts'
import {
  findLoginAccount,
  type LoginAccount,
  lockLoginAccount,
} from '../../workspace/user-records/login-accounts.queries.ts'
import { createLoginSession } from '../login/login-session.service.ts'
import { markReauthenticated } from '../own-sessions/own-sessions.queries.ts'
import { findFlow, setFlowSession } from './sso.queries.ts'
import { invalidSsoCode } from './sso-profile.rules.ts'
import type { SsoServices } from './sso-services.ts'

export type HandOff = NonNullable<Awaited<ReturnType<typeof findHandOff>>>

/** Finds used codes too, so that a second use can be detected. */
export async function findHandOff(tx: TenantTx, code: string) {
  const token = await findOneTimeToken(tx, ['sso_handoff'], hashToken(code))
  if (!token) return undefined
  const { flow_id, password_changed_at } = token.meta as { flow_id: string; password_changed_at: string | null }
  const flow = await findFlow(tx, flow_id)
  const account = await findLoginAccount(tx, token.user_id)
  return flow && account && { token, flow, account, passwordChangedAt: password_changed_at, publicActor: actorOf(tx) }
}

/** Lock order: user, then code, as when a user is deactivated. Returns undefined if the code was used in the meantime. */
async function consumeCode(
  tx: TenantTx,
  { token, passwordChangedAt }: HandOff,
  now: Date,
): Promise<LoginAccount | undefined> {
  await lockUserPresence(tx, token.user_id)
  const account = await lockLoginAccount(tx, token.user_id)
  if (!(await markOneTimeTokenUsed(tx, token.id, now))) return undefined
  if (account?.status !== 'active' || account.password_changed_at !== passwordChangedAt) throw invalidSsoCode()
  return account
}

export async function createSessionByCode(
  sso: SsoServices,
  tx: TenantTx,
  handOff: HandOff,
): Promise<SessionGrant | undefined> {
  const account = await consumeCode(tx, handOff, sso.clock.now())
  if (!account) return undefined
  const { flow } = handOff
  const grant = await createLoginSession(sso, tx, account, flow.provider as AuthMethod)
  if (!grant) throw invalidSsoCode()
  await setFlowSession(tx, flow.id, grant.session.id)
  return grant
}

/** Renews the authentication time of the current session; session and refresh token stay the same. */
export async function reauthenticateByCode(
  { clock }: SsoServices,
  tx: TenantTx,
  actor: UserActor,
  handOff: HandOff,
): Promise<SessionGrant | undefined> {
  const account = await consumeCode(tx, handOff, clock.now())
  if (!account) return undefined
  const isSameUser = account.id === actor.userId
  if (!isSameUser || !(await markReauthenticated(tx, actor.sessionId!, clock.now()))) throw invalidSsoCode()
  await recordAudit(tx, 'session.reauthenticated', { id: actor.sessionId, after: { provider: handOff.flow.provider } })
  const session = await lockSession(tx, actor.sessionId!)
  return await getSessionGrant(tx, account, {
    session: session!,
    refresh: await getNewestRefreshToken(tx, actor.sessionId!),
  })
}

export async function revokeSessionOfFlow(tx: TenantTx, flowId: string): Promise<void> {
  const flow = await findFlow(tx, flowId)
  if (flow?.session_id) await revokeSessions(tx, [flow.session_id], 'sso_code_reuse')
}
