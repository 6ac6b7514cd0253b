import { forbidden } from '#platform/errors'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

export type Trace = { requestId: string; ip: string; userAgent: string | null }

/** The identity a transaction runs as, always within one tenant. */
export type Actor = {
  readonly tenantId: string
  readonly type: 'user' | 'api_key' | 'impersonation' | 'system' | 'operator' | 'public'
  /** Null for the system, operators and anonymous visitors. */
  readonly userId: string | null
  readonly actorUserId: string | null
  readonly sessionId: string | null
  readonly apiKeyId: string | null
  readonly role: Role | null
  readonly scopes: ReadonlySet<Scope>
  readonly authenticatedAt?: Date | null
  readonly trace: Trace | null
  /** Source of the change; subscribers ignore sample data. */
  readonly origin: 'api' | 'job' | 'sample' | 'import' | 'system'
}

/** An actor with a user: a session, an API key, or an admin who impersonates the user. */
export type UserActor = Actor & { readonly userId: string; readonly role: Role }

const noIdentity = {
  userId: null,
  actorUserId: null,
  sessionId: null,
  apiKeyId: null,
  role: null,
  scopes: new Set<Scope>(),
  trace: null,
}

export const systemActor = (tenantId: string): Actor => ({ ...noIdentity, tenantId, type: 'system', origin: 'job' })

export const publicActor = (tenantId: string, trace: Trace): Actor => ({
  ...noIdentity,
  tenantId,
  type: 'public',
  origin: 'api',
  trace,
})

export const operatorActor = (tenantId: string): Actor => ({
  ...noIdentity,
  tenantId,
  type: 'operator',
  origin: 'system',
})

const freshLoginSeconds = 15 * 60

/** For changes that a stolen old session must not be able to make. API keys and jobs never pass. */
export function assertFreshLogin({ authenticatedAt }: Pick<Actor, 'authenticatedAt'>, now: Date): void {
  const ageMs = authenticatedAt ? now.getTime() - authenticatedAt.getTime() : Number.POSITIVE_INFINITY
  if (ageMs > freshLoginSeconds * 1_000)
    throw forbidden(
      'reauthentication_required',
      'Confirm your identity with POST /api/auth/reauthenticate, then repeat the request.',
    )
}
