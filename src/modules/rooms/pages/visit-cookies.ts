import type { FastifyRequest } from 'fastify'
import type { Config } from '#platform/config'
import { findCookie, formatCookie } from '#platform/http'

/** The visitor is recognized at the next visit. Both cookies belong to the path of one link. */
const cookieSeconds = { room_visit: 12 * 3_600, room_visitor: 180 * 86_400 }
type CookieName = keyof typeof cookieSeconds
type PageRequest = Pick<FastifyRequest, 'headers' | 'params'>
type VisitTokensOfPage = { visitToken: string; visitorToken: string }

/** Other sites cannot send the cookies with their forms, because they are `SameSite`. */
export function createVisitCookies({ APP_SCHEME }: Pick<Config, 'APP_SCHEME'>) {
  const isSecure = APP_SCHEME === 'https'
  const keyOf = ({ params }: PageRequest, name: CookieName) => ({
    name,
    path: `/r/${(params as { share_token: string }).share_token}`,
    isSecure,
  })
  // Cookies of the previous version have no prefix. They are read only without a cookie that has it.
  const keysOf = (request: PageRequest, name: CookieName) => {
    const key = keyOf(request, name)
    return isSecure ? [key, { ...key, isSecure: false }] : [key]
  }
  return {
    read: (request: PageRequest, name: CookieName): string | undefined =>
      keysOf(request, name)
        .map((key) => findCookie(request.headers.cookie, key))
        .find((value) => value !== undefined),

    format(request: PageRequest, { visitToken, visitorToken }: VisitTokensOfPage): string[] {
      const format = (name: CookieName, value: string) =>
        formatCookie({ ...keyOf(request, name), value, maxAgeSeconds: cookieSeconds[name], sameSite: 'Lax' })
      return [format('room_visit', visitToken), format('room_visitor', visitorToken)]
    },

    expireVisit: (request: PageRequest): string[] =>
      keysOf(request, 'room_visit')
        .filter((key) => findCookie(request.headers.cookie, key) !== undefined)
        .map((key) => formatCookie({ ...key, value: '', maxAgeSeconds: 0, sameSite: 'Lax' })),
  }
}
