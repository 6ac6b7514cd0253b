import { type Role, type Scope, scopesOfRole, systemActor, type UserActor } from '#platform/access'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { AppError, forbidden } from '#platform/errors'
import { effectiveScopes, type KeyScope, type Preset } from '../../credentials/api-keys/effective-scopes.rules.ts'
import { accountDisabled } from '../../workspace/user-records/users.rules.ts'
import type { TaskRequester } from './auth.schemas.ts'
import { findRequesterStatus } from './task-requester.queries.ts'

export function toTaskRequester({ type, userId, actorUserId, sessionId, apiKeyId }: UserActor): TaskRequester {
  return { type: type as TaskRequester['type'], userId, actorUserId, sessionId, apiKeyId }
}

type RequiredAccess = { scopes: readonly Scope[]; now: Date; isSessionRequired?: boolean }

/**
 * Checks the current permissions of the requester of a task; called before every batch. A sign-out does not matter, unless
 * `isSessionRequired` is true.
 */
export async function resolveTaskRequester(
  tx: TenantTx,
  requester: TaskRequester,
  { scopes, now, isSessionRequired = false }: RequiredAccess,
): Promise<UserActor> {
  const status = await findRequesterStatus(tx, requester)
  if (status?.status !== 'active')
    throw accountDisabled(stopMessage('The user who started this task is no longer active.'))
  if (requester.type === 'impersonation' && (status.admin_status !== 'active' || status.admin_role !== 'admin'))
    throw accountDisabled(
      stopMessage('The admin who started this task while impersonating is no longer an active admin.'),
    )
  if (requester.type === 'api_key') assertKeyUsable(status, now)
  else if (isSessionRequired) assertSessionActive(status, now)

  const role = status.role as Role
  const granted =
    requester.type === 'api_key'
      ? effectiveScopes(status.scopes as KeyScope[], role, status.preset as Preset)
      : scopesOfRole(role)
  const missing = scopes.find((scope) => !granted.has(scope))
  if (missing)
    throw forbidden(
      'scope_required',
      stopMessage(`The user who started this task no longer has the scope ${missing}.`),
      {
        required_scope: missing,
      },
    )
  return { ...systemActor(tenantIdOf(tx)), ...requester, role, scopes: granted }
}

type KeyStatus = { scopes: unknown; revoked_at: Date | null; expires_at: Date | null; app_status: string | null }

function assertKeyUsable({ scopes, revoked_at, expires_at, app_status }: KeyStatus, now: Date): void {
  if (!scopes || revoked_at || (expires_at && expires_at <= now))
    throw new AppError(
      401,
      'token_revoked',
      stopMessage('The API key that started this task was revoked or has expired.'),
    )
  if (app_status === 'disabled')
    throw forbidden(
      'connected_app_disabled',
      stopMessage('The connected app of the API key that started this task is disabled.'),
    )
}

type SessionStatus = {
  session_revoked_at: Date | null
  session_expires_at: Date | null
  session_idle_expires_at: Date | null
}

function assertSessionActive(session: SessionStatus, now: Date): void {
  const { session_revoked_at, session_expires_at, session_idle_expires_at } = session
  const isFuture = (end: Date | null) => end !== null && end > now
  if (session_revoked_at || !isFuture(session_expires_at) || !isFuture(session_idle_expires_at))
    throw new AppError(401, 'token_revoked', stopMessage('The session that started this task has ended.'))
}

const stopMessage = (cause: string) => `${cause} Completed changes are kept. Another user can start the remaining work.`
