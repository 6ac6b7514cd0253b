import { createHash } from 'node:crypto'
import { actorOf, type TenantTx, tenantIdOf } from '#platform/db'
import { newId } from '#platform/ids'
import { networkPrefixOf } from '#platform/limits'
import { deviceOf, emailKeyOf } from './login.rules.ts'
import { insertLoginEvent, listRecentLogins } from './login-events.queries.ts'

type LoginEvent = {
  userId: string | null
  email: string
  outcome: 'success' | 'failure'
  reason?: string
  method: string
  sessionId?: string
  actorUserId?: string
}

export async function recordLoginEvent(tx: TenantTx, event: LoginEvent): Promise<string> {
  const { trace, actorUserId } = actorOf(tx)
  const id = newId()
  await insertLoginEvent(tx, {
    id,
    user_id: event.userId,
    email_hash: emailHash(tenantIdOf(tx), event.email),
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

/** Groups attempts per email address, including addresses without an account. */
const emailHash = (tenantId: string, email: string): Buffer =>
  createHash('sha256')
    .update(`${tenantId}:${emailKeyOf(email)}`)
    .digest()

const comparedLogins = 200

export async function isNewDevice(tx: TenantTx, userId: string): Promise<boolean> {
  const { trace } = actorOf(tx)
  if (!trace) return false
  const recent = await listRecentLogins(tx, userId, networkPrefixOf(trace.ip), comparedLogins)
  const device = deviceOf(trace.userAgent)
  return recent.length > 0 && !recent.some((login) => login.is_near && deviceOf(login.user_agent) === device)
}
