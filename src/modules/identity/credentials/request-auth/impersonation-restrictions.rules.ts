import type { RouteConfig } from '#platform/http'

const exceptions = new Set(['/api/auth/me', '/api/auth/logout'])

/** Credentials, API keys and administration are decided by path, so that new routes are forbidden by default. */
export function isForbiddenForImpersonation(
  method: string,
  url: string,
  { signedIn, notWhileImpersonating, oneTimeFields: withheld }: RouteConfig,
): boolean {
  if (notWhileImpersonating) return true
  const path = url.replace(/\/$/, '')
  const isUnder = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
  if (signedIn || isUnder('/api/auth')) return !exceptions.has(path)
  if (isUnder('/api/api-keys') || isUnder('/api/admin')) return true
  if (isUnder('/api/connected-apps')) return method !== 'GET' && method !== 'HEAD'
  if (isUnder('/api/webhooks') && (withheld || path.endsWith('/rotate-secret'))) return true
  return /\/(impersonate|reset-password)$/.test(path)
}
