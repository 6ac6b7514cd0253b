import { Problem, type Routes } from '#platform/http'
import { answerForgottenPasswordLater } from './auth.jobs.ts'
import {
  Credentials,
  ForgottenPassword,
  PasswordReset,
  PasswordWasReset,
  Providers,
  RefreshRequest,
  ResetAccepted,
  TokenResponse,
} from './auth.schemas.ts'
import type { AuthServices } from './auth-services.ts'
import { logIn } from './login.flow.ts'
import { listProviders } from './providers.queries.ts'
import { refreshTokens } from './refresh.service.ts'
import { resetPasswordByLink } from './reset-password.service.ts'

export const publicAuthRoutes =
  (auth: AuthServices): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/auth/login',
      config: { public: true, limit: 'signIn', vital: true, tag: 'auth' },
      schema: {
        operationId: 'logIn',
        summary: 'Sign in with e-mail address and password',
        body: Credentials,
        response: {
          200: TokenResponse,
          401: Problem,
          403: Problem,
        },
      },
      handler: (request) => logIn(auth, (work) => request.inTenant(work), request.body),
    })

    app.route({
      method: 'POST',
      url: '/api/auth/refresh',
      config: { public: true, limit: 'signIn', vital: true, tag: 'auth' },
      schema: {
        operationId: 'refreshTokens',
        summary: 'Exchange a refresh token for a new pair',
        body: RefreshRequest,
        response: { 200: TokenResponse, 401: Problem },
      },
      handler: (request) =>
        refreshTokens(auth, (work) => request.inTenant(work), request.tenant.id, request.body.refresh_token),
    })

    app.route({
      method: 'POST',
      url: '/api/auth/forgot-password',
      config: { public: true, limit: 'forgot', tag: 'auth' },
      schema: {
        operationId: 'forgotPassword',
        summary: 'Ask for a link to choose a new password',
        description: 'The answer is always the same, whether or not there is such an account.',
        body: ForgottenPassword,
        response: { 200: ResetAccepted },
      },
      handler: async (request) => {
        await request.inTenant((tx) => answerForgottenPasswordLater(tx, request.body.email))
        return { status: 'accepted' as const }
      },
    })

    app.route({
      method: 'POST',
      url: '/api/auth/reset-password',
      config: { public: true, limit: 'signIn', tag: 'auth' },
      schema: {
        operationId: 'resetPasswordByLink',
        summary: 'Choose a new password with a link from a mail',
        body: PasswordReset,
        response: { 200: PasswordWasReset, 410: Problem },
      },
      handler: (request) => resetPasswordByLink(auth, (work) => request.inTenant(work), request.tenant, request.body),
    })

    app.route({
      method: 'GET',
      url: '/api/auth/sso/providers',
      config: { public: true, tag: 'auth' },
      schema: {
        operationId: 'listProviders',
        summary: 'How one can sign in here',
        response: { 200: Providers },
      },
      handler: (request) => request.inTenant((tx) => listProviders(tx, auth.config)),
    })
  }
