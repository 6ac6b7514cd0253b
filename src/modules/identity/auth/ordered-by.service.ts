import { type Role, type Scope, type SignedIn, scopesOfRole, systemIn } from '#platform/access'
import { type TenantTx, tenantOf } from '#platform/db'
import { AppError, forbidden } from '#platform/errors'
import { effectiveScopes, type KeyScope, type Preset } from '../api-keys/effective-scopes.rules.ts'
import { accountDisabled } from './admission.rules.ts'
import { findStanding } from './ordered-by.queries.ts'
import type { OrderedBy } from './ordered-by.schemas.ts'

export function orderedBy({ type, userId, actorUserId, sessionId, apiKeyId }: SignedIn): OrderedBy {
  return { type: type as OrderedBy['type'], userId, actorUserId, sessionId, apiKeyId }
}

type Needed = { scopes: readonly Scope[]; now: Date }

/**
 * Whoever ordered work, with what they may do today. It is refused once they could not order it any more: a task asks ahead of
 * every batch it does in their name. That they have signed out since does not matter.
 */
export async function actorOfOrder(tx: TenantTx, by: OrderedBy, { scopes, now }: Needed): Promise<SignedIn> {
  const standing = await findStanding(tx, by)
  if (standing?.status !== 'active')
    throw accountDisabled(stopped('Whoever ordered this is no longer active in the workspace.'))
  if (by.type === 'impersonation' && (standing.admin_status !== 'active' || standing.admin_role !== 'admin'))
    throw accountDisabled(stopped('The admin who ordered this as somebody else is no longer an active admin.'))
  if (by.type === 'api_key') assertUsable(standing, now)

  const role = standing.role as Role
  const held =
    by.type === 'api_key'
      ? effectiveScopes(standing.scopes as KeyScope[], role, standing.preset as Preset)
      : scopesOfRole(role)
  const missing = scopes.find((scope) => !held.has(scope))
  if (missing)
    throw forbidden('scope_required', stopped(`Whoever ordered this no longer has the scope ${missing}.`), {
      required_scope: missing,
    })
  return { ...systemIn(tenantOf(tx)), ...by, role, scopes: held }
}

type KeyStanding = { scopes: unknown; revoked_at: Date | null; expires_at: Date | null; app_status: string | null }

function assertUsable({ scopes, revoked_at, expires_at, app_status }: KeyStanding, now: Date): void {
  if (!scopes || revoked_at || (expires_at && expires_at <= now))
    throw new AppError(401, 'token_revoked', stopped('The API key that ordered this was revoked or has expired.'))
  if (app_status === 'disabled')
    throw forbidden('connected_app_disabled', stopped('The connected app whose key ordered this is disabled.'))
}

const stopped = (why: string) => `${why} What was done by then stays. Somebody else may order the rest.`
