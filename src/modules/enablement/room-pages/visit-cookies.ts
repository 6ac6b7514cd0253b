import type { FastifyRequest } from 'fastify'

/** The visitor is recognized at the next visit. Both cookies belong to the path of one link. */
const cookieSeconds = { room_visit: 12 * 3_600, room_visitor: 180 * 86_400 }
type CookieName = keyof typeof cookieSeconds

export function readCookie({ headers }: FastifyRequest, name: CookieName): string | undefined {
  const cookies = String(headers.cookie ?? '').split(/;\s*/)
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}

type VisitCookies = { path: string; visitToken: string; visitorToken: string; isSecure: boolean }

/** Other sites cannot send the cookies with their forms, because they are `SameSite`. */
export function formatVisitCookies({ path, visitToken, visitorToken, isSecure }: VisitCookies): string[] {
  const format = (name: CookieName, value: string) =>
    `${name}=${value}; Path=${path}; Max-Age=${cookieSeconds[name]}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return [format('room_visit', visitToken), format('room_visitor', visitorToken)]
}
