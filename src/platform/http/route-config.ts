import type { Resource, Role, Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'

export type RouteConfig = {
  scope?: Scope
  scopes?: Scope[]
  /** Additional scope that depends on a path parameter; other values of the parameter are rejected by its schema. */
  scopeByParam?: { name: string; scopes: Readonly<Record<string, Scope>> }
  signedIn?: true
  public?: true
  /** On public routes: a credential is optional, but an invalid one is rejected. */
  optionalAuth?: true
  anyHost?: true
  roles?: Role[]
  humanOnly?: true
  freshLogin?: true
  /** Available to sessions that must first change the password or verify the email address. */
  limitedSession?: true
  /** Maximum size of the body in bytes; otherwise 16 KiB on /api/auth/ and 1 MiB elsewhere. */
  bodyLimit?: number
  /** Additional rate limit, by its name in `buckets`. */
  limit?: string
  unlimited?: true
  /** Not rejected when the service is overloaded. */
  vital?: true
  /** Response fields that are shown once; an idempotent replay has null instead. */
  oneTimeFields?: string[]
  /** Path prefix for the Location header, if it differs from the request path. */
  collectionPath?: string
  /** Set by the platform from the declared responses. */
  successStatus?: number
  tag?: Resource | 'auth' | 'health' | 'reference'
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyRequest {
    /** Only set on routes that require authentication. */
    actor: UserActor
    tenant: Workspace
    /** Selects the workspace on routes with `anyHost`; the caller stays anonymous. */
    enterTenant(slug: string): Promise<void>
    inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  }
}

export type Workspace = { id: string; slug: string; name: string }
