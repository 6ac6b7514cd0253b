import type { Trace, UserActor } from '#platform/access'
import type { RateLimit, RouteLimit } from '#platform/limits'
import type { Credential } from './read-request.ts'
import type { RequestOutcome } from './request-outcome.ts'
import type { RouteConfig, Workspace } from './route-config.ts'

export type Authentication = {
  tenant: Workspace
  actor: UserActor | null
  restriction: { code: 'password_change_required' | 'email_verification_required'; message: string } | null
  isReadOnly: boolean
  isInMaintenance: boolean
  /** Rate limit set by an operator for the API key; null for the default. */
  requestsPerMinute: number | null
}

export type RequestSource = {
  ip: string
  slug?: string
  authorization?: string
  limits?: readonly RouteLimit[]
  networkLimit?: RateLimit
  /** Secret token in the path of a public route. */
  token?: string
  verifyToken?: RouteConfig['verifyToken']
  params?: Record<string, string>
}

export type CountedRequest = {
  isKnown: boolean
  hasWrongToken: boolean
  headers: Record<string, string>
  /** Counts a known caller while it is authenticated, unless the route has limits of its own. */
  startCounting(limits?: readonly RouteLimit[]): void
  countAccepted(authentication: Authentication, limits?: readonly RouteLimit[]): Promise<Record<string, string>>
  countRefused(error: unknown, authentication?: Authentication): Promise<void>
}

export type AuthenticationRequest = {
  slug: string
  credential: Credential | null
  trace: Trace
  isKnown?: boolean
}

export type RequestAuthenticator = {
  /** Throws 429 without using the database. The result counts the outcome of the request and returns headers. */
  countRequest(source: RequestSource): Promise<CountedRequest>
  authenticate(request: AuthenticationRequest): Promise<Authentication>
  /** Throws 429 if the workspace has sent too many large bodies. Called before a large body is parsed. */
  countLargeBody(tenantId: string, bytes: number): Promise<void>
  countUnknownToken(source: Pick<RequestSource, 'ip' | 'slug'>): void
  isForbiddenForImpersonation(method: string, url: string, route: RouteConfig): boolean
  requiresAudit(actor: UserActor, route: string): boolean
  auditRequest(outcome: RequestOutcome): void
}
