import type { Role } from '#platform/access'
import type { MatrixTenant } from './matrix-tenant.ts'

/** Status, or status and error code: `404` or `404 not_found`; `404 page` is an HTML page. `202 or 409 conflict` accepts both. */
export type ExpectedResponse = number | string

const isReference = Symbol('reference')
export type Reference = { [isReference]: true; kind: string; expected?: ExpectedResponse; isRequired?: true }

/**
 * Refers to a record in a body or query. A record of another tenant must get the same response as a missing one: 422
 * `unknown_reference` in a body and an empty list in a query, unless `expected` is given.
 */
export const ref = (kind: string, expected?: ExpectedResponse): Reference => ({ [isReference]: true, kind, expected })

/** Refers to a record that every request names in its query, because the route requires it. */
export const requiredRef = (kind: string, expected: ExpectedResponse): Reference => ({
  [isReference]: true,
  kind,
  expected,
  isRequired: true,
})

export const asReference = (value: unknown): Reference | undefined =>
  typeof value === 'object' && value !== null && isReference in value ? (value as Reference) : undefined

/** Properties of a caller that an expected response may depend on. */
export type CallerKind = { role: Role; isKey: boolean; scopes?: ReadonlySet<string> }

/** A valid request to a route, and the responses and access checks expected of it. */
export type RouteFixture = {
  /** Record kind of each path parameter. */
  path?: Record<string, string>
  query?: Record<string, unknown>
  /** Returns a valid body; called for every request. */
  body?: (tenant: MatrixTenant) => unknown
  /** The body is a form instead of JSON: with a text file, or with these fields. */
  upload?: true | Record<string, string>
  /** Ids that cannot be combined with the rest of the body or query, with the test that covers them. */
  omittedIds?: Record<string, string>
  /** Response to an authorized caller, if it differs from the declared success status. */
  expected?: ExpectedResponse | ((caller: CallerKind) => ExpectedResponse)
  /** No authentication. */
  public?: true
  /** Authentication is optional, but an invalid credential is rejected. */
  optionalCredential?: true
  /** An HTML page: its 404 has no error code, and it accepts forms only. */
  isPage?: true
  /** A GET that writes, for example an audit entry. */
  recordsReads?: true
  /** The route also responds on hosts without a workspace. */
  anyHost?: true
  /** Access checks besides the scope, deliberately repeated here. */
  roles?: Role[]
  scopes?: string[]
  /** Requires no scope, although its path has one. */
  anyCredential?: true
  humanOnly?: true
  freshLogin?: true
  notWhileImpersonating?: true
  limitedSession?: true
}

/** Creates a record and returns the id used in requests. `owner` is the caller. */
type CreateRecord = (tenant: MatrixTenant, options: { parent: string; owner: string }) => Promise<string>

export type RecordKind = {
  create: CreateRecord
  /** Kind of the parent record, if a path contains both. */
  parentKind?: string
  /** Only its owner can use the record. */
  isPersonal?: true
  /** The record is the same in all workspaces. */
  isGlobal?: true
  /** Returns an id without a record (default: a random UUID). Null if no such id can be constructed. */
  missingId?: (() => string) | null
}

/** Record kinds and route fixtures of one group of routes. */
export type FixtureGroup = { kinds?: Record<string, CreateRecord | RecordKind>; routes: Record<string, RouteFixture> }
