import { findCookie, formatCookie } from '#platform/http'
import type { PublicUrlConfig } from '../tenants/tenants.rules.ts'

const cookieTtlSeconds = 660

/** One cookie per flow, so that tabs do not interfere. Uses the random end of the id; its beginning is a timestamp. */
const cookieName = ({ APP_SCHEME }: PublicUrlConfig, flowId: string): string =>
  `${APP_SCHEME === 'https' ? '__Host-' : ''}sso_${flowId.slice(-8)}`

const formatFlowCookie = (config: PublicUrlConfig, flowId: string, value: string, maxAgeSeconds: number): string =>
  formatCookie({
    name: cookieName(config, flowId),
    value,
    maxAgeSeconds,
    sameSite: 'Lax',
    isSecure: config.APP_SCHEME === 'https',
  })

/** Binds the flow to the browser that started it. */
export const browserCookie = (config: PublicUrlConfig, flowId: string, secret: string): string =>
  formatFlowCookie(config, flowId, secret, cookieTtlSeconds)

export const expiredCookie = (config: PublicUrlConfig, flowId: string): string =>
  formatFlowCookie(config, flowId, '', 0)

export const readBrowserSecret = (
  cookies: string | undefined,
  config: PublicUrlConfig,
  flowId: string,
): string | undefined => findCookie(cookies, cookieName(config, flowId))
