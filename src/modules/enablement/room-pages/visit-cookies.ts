import type { FastifyRequest } from 'fastify'
import { findCookie, formatCookie } from '#platform/http'

/** The visitor is recognized at the next visit. Both cookies belong to the path of one link. */
const cookieSeconds = { room_visit: 12 * 3_600, room_visitor: 180 * 86_400 }
type CookieName = keyof typeof cookieSeconds

export const readCookie = ({ headers }: FastifyRequest, name: CookieName): string | undefined =>
  findCookie(headers.cookie, name)

type VisitCookies = { path: string; visitToken: string; visitorToken: string; isSecure: boolean }

/** Other sites cannot send the cookies with their forms, because they are `SameSite`. */
export function formatVisitCookies({ path, visitToken, visitorToken, isSecure }: VisitCookies): string[] {
  const format = (name: CookieName, value: string) =>
    formatCookie({ name, value, path, maxAgeSeconds: cookieSeconds[name], sameSite: 'Lax', isSecure })
  return [format('room_visit', visitToken), format('room_visitor', visitorToken)]
}
