import { AppError } from '#platform/errors'
import { ProblemDetails, type Routes } from '#platform/http'
import { requestPasswordReset } from '../../credentials/emails/emails.jobs.ts'
import {
  PasswordReset,
  PasswordResetAccepted,
  PasswordResetRequest,
  PasswordResetResult,
} from '../../credentials/passwords/passwords.schemas.ts'
import { resetPasswordWithToken } from '../../credentials/passwords/reset-password.flow.ts'
import type { AuthServices } from '../../credentials/tokens/auth-services.ts'
import { clearRefreshCookie, deliverTokens, readRefreshCookie } from '../../credentials/tokens/refresh-cookie.ts'
import { TokenResponse } from '../../credentials/tokens/token-response.schemas.ts'
import { logIn } from '../login/login.flow.ts'
import { Credentials } from '../login/login.schemas.ts'
import { RefreshRequest, SsoProviders } from './auth.schemas.ts'
import { forgotPasswordLimit, refreshNetworkLimit, signInLimit } from './auth-limits.ts'
import { listSsoProviders } from './providers.queries.ts'
import { refreshTokens } from './refresh-tokens.flow.ts'

export const publicAuthRoutes =
  (auth: AuthServices): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/auth/login',
      config: { public: true, limits: [signInLimit], servedUnderLoad: true, tag: 'auth' },
      schema: {
        operationId: 'logIn',
        summary: 'Sign in with email and password',
        body: Credentials,
        response: {
          200: TokenResponse,
          401: ProblemDetails,
          403: ProblemDetails,
        },
      },
      handler: async (request, reply) => {
        const { refresh_token_delivery, ...credentials } = request.body
        const tokens = await logIn(auth, (work) => request.inTenant(work), request.tenant.id, credentials)
        return deliverTokens(auth.config, reply, tokens, refresh_token_delivery)
      },
    })

    app.route({
      method: 'POST',
      url: '/api/auth/refresh',
      config: { public: true, networkLimit: refreshNetworkLimit, servedUnderLoad: true, tag: 'auth' },
      schema: {
        operationId: 'refreshTokens',
        summary: 'Refresh tokens',
        description:
          'Exchanges a refresh token for a new access and refresh token. Using a replaced refresh token again revokes the session. ' +
          'Without `refresh_token`, the cookie of the browser is used, which only pages of the same host can do.',
        body: RefreshRequest,
        response: { 200: TokenResponse, 401: ProblemDetails, 403: ProblemDetails },
      },
      handler: async (request, reply) => {
        const { refresh_token } = request.body
        const caller = { inTenant: request.inTenant.bind(request), tenantId: request.tenant.id, ip: request.ip }
        if (refresh_token !== undefined) return await refreshTokens(auth, caller, refresh_token, 'body')
        try {
          const tokens = await refreshTokens(auth, caller, readRefreshCookie(auth.config, request), 'cookie')
          return deliverTokens(auth.config, reply, tokens, 'cookie')
        } catch (error) {
          if (error instanceof AppError && error.status === 401) clearRefreshCookie(auth.config, request, reply)
          throw error
        }
      },
    })

    app.route({
      method: 'POST',
      url: '/api/auth/forgot-password',
      config: { public: true, limits: [forgotPasswordLimit], tag: 'auth' },
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Request a password reset link',
        description:
          'Emails a link that is valid for 60 minutes, at most three per hour. The response does not reveal whether the account exists.',
        body: PasswordResetRequest,
        response: { 200: PasswordResetAccepted },
      },
      handler: (request) => request.inTenant((tx) => requestPasswordReset(tx, request.body.email)),
    })

    app.route({
      method: 'POST',
      url: '/api/auth/reset-password',
      config: { public: true, limits: [signInLimit], tag: 'auth' },
      schema: {
        operationId: 'resetPasswordWithToken',
        summary: 'Reset a password',
        description:
          'Sets the password of the account that a password reset or invitation link was sent to, activates an invited user and revokes all sessions. A link can be used once.',
        body: PasswordReset,
        response: { 200: PasswordResetResult, 410: ProblemDetails },
      },
      handler: (request) =>
        resetPasswordWithToken(auth, (work) => request.inTenant(work), request.tenant, request.body),
    })

    app.route({
      method: 'GET',
      url: '/api/auth/sso/providers',
      config: { public: true, tag: 'auth' },
      schema: {
        operationId: 'listSsoProviders',
        summary: 'List sign-in methods',
        response: { 200: SsoProviders },
      },
      handler: (request) => request.inTenant((tx) => listSsoProviders(tx, auth.config)),
    })
  }
