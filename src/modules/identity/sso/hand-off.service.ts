import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { hashToken } from '#platform/secrets'
import { type Account, findAccount, lockAccount } from '../auth/accounts.queries.ts'
import { findToken, markTokenUsed } from '../auth/one-time-tokens.queries.ts'
import { openSession } from '../auth/open-session.service.ts'
import { type Issue, issueFor } from '../auth/token-response.ts'
import { renewAuthentication } from '../sessions/own-sessions.queries.ts'
import { getHead } from '../sessions/refresh-tokens.queries.ts'
import { type AuthMethod, lockPresence, lockSession } from '../sessions/sessions.queries.ts'
import { endSessions } from '../sessions/sessions.service.ts'
import { findFlow, setFlowSession } from './sso.queries.ts'
import { invalidCode } from './sso.rules.ts'
import type { SsoServices } from './sso-services.ts'

export type HandOff = NonNullable<Awaited<ReturnType<typeof findHandOff>>>

/** What a code stands for, used or not. */
export async function findHandOff(tx: TenantTx, code: string) {
  const token = await findToken(tx, ['sso_handoff'], hashToken(code))
  if (!token) return undefined
  const { flow_id, password_changed_at } = token.meta as { flow_id: string; password_changed_at: string | null }
  const flow = await findFlow(tx, flow_id)
  const account = await findAccount(tx, token.user_id)
  return flow && account && { token, flow, account, passwordChangedAt: password_changed_at, visitor: actorOf(tx) }
}

/**
 * The person, then the code: whoever shuts an account takes the same way, so that neither waits for the other for ever.
 * Undefined when the code was used meanwhile.
 */
async function claim(tx: TenantTx, { token, passwordChangedAt }: HandOff, now: Date): Promise<Account | undefined> {
  await lockPresence(tx, token.user_id)
  const account = await lockAccount(tx, token.user_id)
  if (!(await markTokenUsed(tx, token.id, now))) return undefined
  if (account?.status !== 'active' || account.password_changed_at !== passwordChangedAt) throw invalidCode()
  return account
}

/** In the name of the person, who is signed in by it. */
export async function enterByCode(sso: SsoServices, tx: TenantTx, handOff: HandOff): Promise<Issue | undefined> {
  const account = await claim(tx, handOff, sso.clock.now())
  if (!account) return undefined
  const { flow } = handOff
  const issue = await openSession(sso, tx, account, flow.provider as AuthMethod)
  if (!issue) throw invalidCode()
  await setFlowSession(tx, flow.id, issue.session.id)
  return issue
}

/** Whoever is signed in has proved once more who they are. The session stays what it was, and so does its refresh token. */
export async function renewByCode(
  { clock }: SsoServices,
  tx: TenantTx,
  actor: SignedIn,
  handOff: HandOff,
): Promise<Issue | undefined> {
  const account = await claim(tx, handOff, clock.now())
  if (!account) return undefined
  const isSame = account.id === actor.userId
  if (!isSame || !(await renewAuthentication(tx, actor.sessionId!, clock.now()))) throw invalidCode()
  await record(tx, 'session.reauthenticated', { id: actor.sessionId, after: { provider: handOff.flow.provider } })
  const session = await lockSession(tx, actor.sessionId!)
  return await issueFor(tx, account, { session: session!, refresh: await getHead(tx, actor.sessionId!) })
}

export async function endWhatItOpened(tx: TenantTx, flowId: string): Promise<void> {
  const flow = await findFlow(tx, flowId)
  if (flow?.session_id) await endSessions(tx, [flow.session_id], 'sso_code_reuse')
}
