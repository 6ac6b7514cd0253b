import { requiredScope } from './permissions.ts'
import type { CallerKind, ExpectedResponse, RouteFixture } from './route-fixture.ts'
import type { Route } from './routes.ts'

export type CallerRights = CallerKind & {
  scopes: ReadonlySet<string>
  isReadOnly?: boolean
  mustChangePassword?: boolean
  /** Signed in more than 15 minutes ago. */
  isStale?: boolean
  isImpersonated?: boolean
}

export type Expected = { expected: ExpectedResponse; scope?: string; isAllowed: boolean }

const rejected = (expected: ExpectedResponse, scope?: string): Expected => ({ expected, scope, isAllowed: false })

/** Derives the expected response from route and fixture, independently of the product code. The order of checks matters. */
export function deriveExpected(route: Route, fixture: RouteFixture, caller: CallerRights): Expected {
  if (!fixture.public || fixture.optionalCredential) {
    if (caller.mustChangePassword && !fixture.limitedSession) return rejected('403 password_change_required')
    if (caller.isReadOnly && route.method !== 'GET') return rejected('403 read_only_key')
    const routeScope = requiredScope(route.method, route.url)
    if (caller.isKey && (fixture.humanOnly || !routeScope)) return rejected('403 session_required')
    if (caller.isImpersonated && (fixture.notWhileImpersonating || isBlockedWhileImpersonating(route)))
      return rejected('403 impersonation_not_allowed')
    const scopes = fixture.public || fixture.anyCredential ? [] : [routeScope, ...(fixture.scopes ?? [])]
    const missingScope = scopes.find((scope) => scope && !caller.scopes.has(scope))
    if (missingScope) return rejected('403 scope_required', missingScope)
    if (fixture.roles && !fixture.roles.includes(caller.role)) return rejected('403 role_required')
    if (fixture.freshLogin && caller.isStale) return rejected('403 reauthentication_required')
  }
  return { expected: expectedSuccess(route, fixture, caller), isAllowed: true }
}

/** Covers credentials and administration. */
function isBlockedWhileImpersonating({ method, url }: Route): boolean {
  if (['/api/auth/me', '/api/auth/logout'].includes(url)) return false
  if (/^\/api\/(auth|api-keys|admin)(\/|$)/.test(url)) return true
  if (url.startsWith('/api/connected-apps')) return method !== 'GET'
  if (url === '/api/webhooks') return method === 'POST'
  return /\/(impersonate|reset-password|rotate-secret)$/.test(url)
}

export const expectedSuccess = (route: Route, { expected }: RouteFixture, caller: CallerKind): ExpectedResponse =>
  (typeof expected === 'function' ? expected(caller) : expected) ?? route.success
