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

/** Headers of every response; routes can replace them. The list is that of Helmet. */
export const constantHeaders = Object.freeze({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
})
