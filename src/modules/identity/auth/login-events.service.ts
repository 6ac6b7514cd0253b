import { createHash } from 'node:crypto'
import { actorOf, type TenantTx, tenantOf } from '#platform/db'
import { newId } from '#platform/ids'
import { deviceOf, neighbourhoodOf } from './device.rules.ts'
import { insertLoginEvent, listRecentLogins } from './login-events.queries.ts'

type LoginEvent = {
  userId: string | null
  email: string
  outcome: 'success' | 'failure'
  reason?: string
  method: string
  sessionId?: string
  /** Who did it, where that is somebody else. */
  actorUserId?: string
}

/** Writes down that somebody tried to sign in, and from where. Returns the id of the entry. */
export async function recordLogin(tx: TenantTx, event: LoginEvent): Promise<string> {
  const { trace, actorUserId } = actorOf(tx)
  const id = newId()
  await insertLoginEvent(tx, {
    id,
    user_id: event.userId,
    email_hash: emailHash(tenantOf(tx), event.email),
    outcome: event.outcome,
    reason: event.reason ?? null,
    method: event.method,
    ip: trace?.ip ?? '0.0.0.0',
    user_agent: trace?.userAgent ?? null,
    session_id: event.sessionId ?? null,
    actor_user_id: event.actorUserId ?? actorUserId,
  })
  return id
}

/** Tells attempts on the same address apart from others, also where nobody has it. */
const emailHash = (tenantId: string, email: string): Buffer =>
  createHash('sha256').update(`${tenantId}:${email.toLowerCase()}`).digest()

const comparedLogins = 200

/** Somebody who signed in before does so from where, or with what, they never did. */
export async function isNewDevice(tx: TenantTx, userId: string): Promise<boolean> {
  const { trace } = actorOf(tx)
  if (!trace) return false
  const recent = await listRecentLogins(tx, userId, neighbourhoodOf(trace.ip), comparedLogins)
  const device = deviceOf(trace.userAgent)
  return recent.length > 0 && !recent.some((login) => login.is_near && deviceOf(login.user_agent) === device)
}
