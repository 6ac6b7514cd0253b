import type { Resource, Role, Scope, SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'

/** What a route says about itself, ahead of its schema. */
export type RouteConfig = {
  /** The scope a caller needs; it must be the one that path and method call for. */
  scope?: Scope
  /** Further scopes, where data or effects of another resource are touched. */
  scopes?: Scope[]
  /** Any signed-in person, on routes that belong to no resource. */
  signedIn?: true
  /** Nobody has to sign in. */
  public?: true
  /** Nobody has to sign in, but whoever sends a credential is known by it, and refused if it is not good. */
  mayBeSignedIn?: true
  /** Answers on every host, also one that names no workspace. */
  anyHost?: true
  /** Only these roles. */
  roles?: Role[]
  /** Refuses API keys. */
  humanOnly?: true
  /** Needs a sign-in of the last 15 minutes. */
  freshLogin?: true
  /** Open to a session that must first change its password or verify its address. */
  limitedSession?: true
  /** A further rate limit, by its name in the table of limits. */
  limit?: string
  /** Kept alive when the service is overloaded. */
  vital?: true
  /** Fields of the answer that are shown once: a repeated request gets null in their place. */
  withheld?: string[]
  /** The collection a new record is found in, where that is not the path it was asked for at. */
  madeIn?: string
  /** The part of the reference it is listed under, where that is not its resource. */
  tag?: Resource | 'auth' | 'health' | 'reference'
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyRequest {
    /** Who is calling. Only on routes that ask for somebody. */
    actor: SignedIn
    tenant: Workspace
    /** Where the host does not tell which workspace a request is for: enters the one with this slug, as a visitor. */
    enterTenant(slug: string): Promise<void>
    /** Opens the one transaction of the request, in the caller's tenant and name. */
    inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  }
}

/** The tenant a request is for, as far as every route may know it. */
export type Workspace = { id: string; slug: string; name: string }
