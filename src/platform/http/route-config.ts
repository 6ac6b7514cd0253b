import type { FastifyReply } from 'fastify'
import type { Resource, Role, Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { RateLimit, RouteLimit } from '#platform/limits'
import type { JsonSize } from './body/json-size.ts'

export type BodyKind = 'json' | 'gzip json' | 'form' | 'multipart'

export type RouteConfig = {
  scope?: Scope
  scopes?: Scope[]
  /** Additional scope that depends on a path parameter; other values of the parameter are rejected by its schema. */
  scopeByParam?: { name: string; scopes: Readonly<Record<string, Scope>> }
  /** The scope is documented but not required: the response contains only what the credential may read. */
  anyCredential?: true
  signedIn?: true
  public?: true
  /** On public routes: a credential is optional, but an invalid one is rejected. */
  optionalAuth?: true
  anyHost?: true
  roles?: Role[]
  humanOnly?: true
  freshLogin?: true
  /** Records evidence about the user, such as a test result, so an admin who impersonates the user must not create it. */
  notWhileImpersonating?: true
  /** Available to sessions that must first change the password or verify the email address. */
  limitedSession?: true
  /** Available while the workspace is in maintenance, although it is not a GET. */
  allowedInMaintenance?: true
  body?: BodyKind
  /** Maximum size of the body in bytes; otherwise 16 KiB on /api/auth/ and 1 MiB elsewhere. */
  bodyLimit?: number
  /** Seconds in which the body must arrive; otherwise 10. */
  bodySeconds?: number
  /** Maximum number of fields of a form; otherwise 100. */
  formFields?: number
  /** Limits of a JSON body; otherwise 50,000 values, 10,000 keys and 20 levels. */
  jsonSize?: JsonSize
  /** Adds a HEAD route with the same handler, which must not open what it would stream. */
  head?: true
  /** Accepts a signed `ticket` in the query instead of a credential, because browsers send no headers for media. */
  verifyTicket?: (ticket: string, tenantId: string) => FileTicket
  /** Additional rate limits. */
  limits?: readonly RouteLimit[]
  /** On public routes: replaces the limit of requests without a credential per network. */
  networkLimit?: RateLimit
  /** On public routes: the path parameter with a secret token. Requires a limit per token. */
  tokenParam?: string
  /**
   * On routes with signed tokens: whether the workspace signed the token; undefined if that takes the database. A signed token is
   * limited per token only, any other one is 404 before the database is used. Unknown tokens are not counted, because they cannot be guessed.
   */
  verifyToken?: (token: string, slug: string) => boolean | undefined
  /** On public routes: scripts of any site may send requests without credentials. */
  cors?: true
  /** Headers of every response, also of errors. The server sets them for `cors` and `tokenParam`. */
  responseHeaders?: Readonly<Record<string, string>>
  /** On public routes: pages of any site may show the page in a frame. */
  framing?: 'any'
  unlimited?: true
  /** Not rejected when the service is overloaded. */
  servedUnderLoad?: true
  /** Response fields that are shown once, such as `key` or `links.url` of a list; an idempotent replay has null instead. */
  oneTimeFields?: string[]
  /** Path prefix for the Location header, if it differs from the request path. */
  collectionPath?: string
  successStatus?: number
  tag?: Resource | 'auth' | 'home' | 'health' | 'reference'
}

export type FileTicket = {
  fileId: string
  userId: string | null
  /** Set on tickets of visitors without an account. */
  visitId: string | null
  disposition: 'inline' | 'attachment'
  issuedAt: Date
  expiresAt: Date
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyRequest {
    /** Only set on routes that require authentication. */
    actor: UserActor
    tenant: Workspace
    /** Only set if the request was authorized by a ticket. */
    ticket?: FileTicket
    /** Claims the `Idempotency-Key` of a multipart request when its content is known; true if the stored response was sent. */
    replayMultipart(reply: FastifyReply, content: unknown): Promise<boolean>
    /** Selects the workspace on routes with `anyHost`; the caller stays anonymous. */
    enterTenant(slug: string): Promise<void>
    inTenant: RequestTransaction
  }
}

/** Runs work in the transaction of the request, which also stores the idempotent response. */
export type RequestTransaction = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

export type Workspace = { id: string; slug: string; name: string }
