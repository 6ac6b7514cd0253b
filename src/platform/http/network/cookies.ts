type Cookie = {
  name: string
  value: string
  path?: string
  maxAgeSeconds: number
  sameSite: 'Lax' | 'Strict'
  isSecure: boolean
}

/** Scripts cannot read the cookie. */
export const formatCookie = ({ name, value, path = '/', maxAgeSeconds, sameSite, isSecure }: Cookie): string =>
  `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`

/** Reads a cookie from the header `Cookie`. */
export function findCookie(header: string | undefined, name: string): string | undefined {
  const cookies = (header ?? '').split(/;\s*/)
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}
