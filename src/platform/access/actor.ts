import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

/** Where a request came from, for the audit trail. */
export type Trace = { requestId: string; ip: string; userAgent: string | null }

/** In whose name a transaction runs: always inside one tenant, and always somebody. */
export type Actor = {
  readonly tenantId: string
  readonly type: 'user' | 'api_key' | 'impersonation' | 'system' | 'operator' | 'public'
  /** On whose behalf. Null for the system, operators and visitors without an account. */
  readonly userId: string | null
  /** The admin behind an impersonation. */
  readonly actorUserId: string | null
  readonly sessionId: string | null
  readonly apiKeyId: string | null
  readonly role: Role | null
  readonly scopes: ReadonlySet<Scope>
  readonly trace: Trace | null
  /** What set the change in motion; consumers stay silent about sample data. */
  readonly origin: 'api' | 'job' | 'sample' | 'import' | 'system'
}

/** Someone with an account: a session, an API key, or an admin acting as the user. */
export type SignedIn = Actor & { readonly userId: string; readonly role: Role }

const nobody = {
  userId: null,
  actorUserId: null,
  sessionId: null,
  apiKeyId: null,
  role: null,
  scopes: new Set<Scope>(),
  trace: null,
}

/** Jobs and schedules. */
export const systemIn = (tenantId: string): Actor => ({ ...nobody, tenantId, type: 'system', origin: 'job' })

/** A visitor without an account, on a public route. */
export const visitorIn = (tenantId: string, trace: Trace): Actor => ({
  ...nobody,
  tenantId,
  type: 'public',
  origin: 'api',
  trace,
})

/** Whoever holds the command line. */
export const operatorIn = (tenantId: string): Actor => ({ ...nobody, tenantId, type: 'operator', origin: 'system' })
