import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '#platform/config'
import { AppError, invalid, unauthenticated } from '#platform/errors'
import { findCookie, formatCookie } from '#platform/http'
import type { TokenResponse } from './token-response.schemas.ts'

type CookieConfig = Pick<Config, 'APP_SCHEME'>
type Delivery = 'body' | 'cookie' | undefined

export const RefreshTokenDelivery = Type.Optional(
  Type.Enum(['body', 'cookie'], {
    default: 'body',
    description:
      '`cookie` is for browsers: the refresh token is in a cookie that scripts cannot read, and `refresh_token` is null.',
  }),
)

/** Returns the response body. The refresh token is either in it or in a cookie. */
export function deliverTokens<Tokens extends TokenResponse>(
  config: CookieConfig,
  reply: FastifyReply,
  tokens: Tokens,
  delivery: Delivery,
): Tokens {
  if (delivery !== 'cookie' || tokens.refresh_token === null) return tokens
  reply.header('set-cookie', formatRefreshCookie(config, tokens.refresh_token, tokens.refresh_expires_in))
  return { ...tokens, refresh_token: null }
}

export function clearRefreshCookie(config: CookieConfig, { headers }: FastifyRequest, reply: FastifyReply): void {
  if (findCookie(headers.cookie, cookieKeyOf(config)) !== undefined)
    reply.header('set-cookie', formatRefreshCookie(config, '', 0))
}

/**
 * Reads the refresh token of the cookie. Other workspaces of the same domain are same-site,
 * so only requests of pages of this host may use it.
 */
export function readRefreshCookie(config: CookieConfig, { headers }: Pick<FastifyRequest, 'headers'>): string {
  const token = findCookie(headers.cookie, cookieKeyOf(config))
  if (isSameOrigin(headers)) {
    if (token) return token
    throw unauthenticated('authentication_required', 'There is no session in this browser. Sign in.')
  }
  if (token !== undefined)
    throw new AppError(403, 'cross_site_request', 'The refresh cookie is only accepted from pages of this host.')
  throw invalid('body', '/refresh_token', 'required', '`refresh_token` is required.')
}

function isSameOrigin(headers: FastifyRequest['headers']): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin !== undefined && URL.parse(headers.origin)?.host === headers.host
}

const cookieKeyOf = ({ APP_SCHEME }: CookieConfig) => ({ name: 'refresh', isSecure: APP_SCHEME === 'https' })

const formatRefreshCookie = (config: CookieConfig, value: string, maxAgeSeconds: number): string =>
  formatCookie({ ...cookieKeyOf(config), value, maxAgeSeconds, sameSite: 'Strict' })
