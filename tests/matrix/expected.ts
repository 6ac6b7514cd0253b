import type { Answer, Caller, Fixture } from './fixture.ts'
import { scopeFor } from './rights.ts'
import type { Route } from './routes.ts'

/** A caller as the gate sees one. */
export type Standing = Caller & {
  scopes: ReadonlySet<string>
  isReadOnly?: boolean
  mustChangePassword?: boolean
  /** The sign-in is older than a quarter of an hour. */
  isStale?: boolean
  /** An admin acts as this person. */
  isImpersonated?: boolean
}

export type Expected = { expected: Answer; scope?: string; isAllowed: boolean }

const refused = (expected: Answer, scope?: string): Expected => ({ expected, scope, isAllowed: false })

/** What must be answered, from path and method and what the fixture says: first the credential, then scopes, then the rest. */
export function expectedOf(route: Route, fixture: Fixture, caller: Standing): Expected {
  if (!fixture.public || fixture.mayBeSignedIn) {
    if (caller.mustChangePassword && !fixture.limitedSession) return refused('403 password_change_required')
    if (caller.isReadOnly && route.method !== 'GET') return refused('403 read_only_key')
    const baseline = scopeFor(route.method, route.url)
    if (caller.isKey && (fixture.humanOnly || !baseline)) return refused('403 session_required')
    if (caller.isImpersonated && isClosedToOthers(route)) return refused('403 impersonation_not_allowed')
    const lacking = [baseline, ...(fixture.scopes ?? [])].find((scope) => scope && !caller.scopes.has(scope))
    if (lacking) return refused('403 scope_required', lacking)
    if (fixture.roles && !fixture.roles.includes(caller.role)) return refused('403 role_required')
    if (fixture.freshLogin && caller.isStale) return refused('403 reauthentication_required')
  }
  return { expected: successOf(route, fixture, caller), isAllowed: true }
}

/** What nobody does in another's name: everything about how they get in, and administration. */
function isClosedToOthers({ method, url }: Route): boolean {
  if (['/api/auth/me', '/api/auth/logout'].includes(url)) return false
  if (/^\/api\/(auth|api-keys|admin)(\/|$)/.test(url)) return true
  if (url.startsWith('/api/connected-apps')) return method !== 'GET'
  return /\/(impersonate|reset-password|rotate-secret)$/.test(url)
}

export const successOf = (route: Route, { answers }: Fixture, caller: Caller): Answer =>
  (typeof answers === 'function' ? answers(caller) : answers) ?? route.success
