import type { Role } from '#platform/access'
import type { Place } from './place.ts'

/** `404`, or `404 not_found` where the code matters. */
export type Answer = number | string

const isReference = Symbol('reference')
export type Reference = { [isReference]: true; kind: string; answers?: Answer }

/**
 * A record that a body or a query names. One of another tenant must get the same answer as one that does not exist: 422
 * `unknown_reference` in a body and an empty list in a query, unless `answers` says something else.
 */
export const ref = (kind: string, answers?: Answer): Reference => ({ [isReference]: true, kind, answers })

export const asReference = (value: unknown): Reference | undefined =>
  typeof value === 'object' && value !== null && isReference in value ? (value as Reference) : undefined

/** Whom a fixture may tell apart when it says what is answered. */
export type Caller = { role: Role; isKey: boolean }

/** What the matrices must know of a route to call it: with real ids, with something valid, and what is answered to whom. */
export type Fixture = {
  /** The kind of record each name in the path stands for. */
  path?: Record<string, string>
  query?: Record<string, unknown>
  /** Something valid, made anew for every call. */
  body?: (place: Place) => unknown
  /** Ids of the body that cannot stand beside the others, and where it is shown instead that another tenant's is refused. */
  leftOut?: Record<string, string>
  /** To whoever may: the success the route declares, unless it is said here. */
  answers?: Answer | ((caller: Caller) => Answer)
  /** Nobody has to sign in. */
  public?: true
  /** A credential is not asked for; but if there is one, it must be good. */
  mayBeSignedIn?: true
  /** Answers on hosts that name no workspace, too. */
  anyHost?: true
  /** The walls beyond the scope, each written down a second time on purpose. */
  roles?: Role[]
  scopes?: string[]
  humanOnly?: true
  freshLogin?: true
  limitedSession?: true
}

/** Makes a record and gives back what a request names it by. `owner` is whoever calls. */
type Make = (place: Place, about: { parent: string; owner: string }) => Promise<string>

export type Kind = {
  make: Make
  /** The kind it is a part of, where a path names both. */
  within?: string
  /** It belongs to one person, and nobody else may use it. */
  isOwn?: true
  /** The same in every workspace: nobody's own. */
  isShared?: true
  /** What names none: an unknown id, unless it is said here. With null there is nothing another tenant's could look like. */
  missing?: (() => string) | null
}

/** What one group of routes brings. */
export type Group = { kinds?: Record<string, Make | Kind>; routes: Record<string, Fixture> }
