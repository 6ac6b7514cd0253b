type CookieKey = { name: string; path?: string; isSecure: boolean }
type Cookie = CookieKey & { value: string; maxAgeSeconds: number; sameSite: 'Lax' | 'Strict' }

/**
 * Browsers accept these prefixes over HTTPS only, and `__Host-` only from this host, so that no other host of the domain can
 * set the cookie. `__Host-` requires the path `/`.
 */
const nameOf = ({ name, path = '/', isSecure }: CookieKey): string =>
  isSecure ? `${path === '/' ? '__Host-' : '__Secure-'}${name}` : name

/** Scripts cannot read the cookie. */
export const formatCookie = ({ value, maxAgeSeconds, sameSite, ...key }: Cookie): string =>
  `${nameOf(key)}=${value}; Max-Age=${maxAgeSeconds}; Path=${key.path ?? '/'}; HttpOnly; SameSite=${sameSite}${key.isSecure ? '; Secure' : ''}`

export function findCookie(header: string | undefined, key: CookieKey): string | undefined {
  const name = nameOf(key)
  const cookies = (header ?? '').split(/;\s*/)
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}
