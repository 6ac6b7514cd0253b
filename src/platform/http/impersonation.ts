import type { RouteConfig } from './route-config.ts'

const openAllTheSame = new Set(['/api/auth/me', '/api/auth/logout'])

/**
 * What nobody does in somebody else's name: their way in, their keys, and what belongs to admins. It goes by where a route is
 * and not by what it says, so a route that comes later is closed without anybody thinking of it.
 */
export function isClosedToImpersonation(method: string, url: string, { signedIn, withheld }: RouteConfig): boolean {
  const path = url.replace(/\/$/, '')
  const isUnder = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
  if (signedIn || isUnder('/api/auth')) return !openAllTheSame.has(path)
  if (isUnder('/api/api-keys') || isUnder('/api/admin')) return true
  if (isUnder('/api/connected-apps')) return method !== 'GET' && method !== 'HEAD'
  if (isUnder('/api/webhooks') && (withheld || path.endsWith('/rotate-secret'))) return true
  return /\/(impersonate|reset-password)$/.test(path)
}
