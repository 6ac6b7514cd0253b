import { Type } from 'typebox'
import { ProblemDetails, type Routes } from '#platform/http'
import { type ProviderName, providerNames } from '../../credentials/oidc/provider-clients.service.ts'
import { deliverTokens } from '../../credentials/tokens/refresh-cookie.ts'
import { TokenResponse } from '../../credentials/tokens/token-response.schemas.ts'
import { signInLimit, ssoLimit } from '../current-session/auth-limits.ts'
import { exchangeSsoCode } from './exchange-code.flow.ts'
import { finishSignOn, readCallbackState } from './finish-sign-on.flow.ts'
import { CallbackQuery, CodeExchange, StartSignOnQuery } from './sso.schemas.ts'
import { invalidSsoState } from './sso-profile.rules.ts'
import type { SsoServices } from './sso-services.ts'
import { startSignOn } from './start-sign-on.flow.ts'

const titles: Record<ProviderName, string> = { google: 'Google', okta: 'Okta' }
const Redirect = Type.Null({ description: 'Redirect to the URL in `Location`.' })

export const publicSsoRoutes =
  (sso: SsoServices): Routes =>
  async (app) => {
    for (const provider of providerNames) {
      app.route({
        method: 'GET',
        url: `/api/auth/sso/${provider}`,
        config: { public: true, limits: [ssoLimit], tag: 'auth' },
        schema: {
          operationId: `start${titles[provider]}SignIn`,
          summary: `Sign in with ${titles[provider]}`,
          description:
            'For browsers: redirects to the provider, which redirects back to the callback. Sets a cookie that binds the sign-in to this browser.',
          querystring: StartSignOnQuery,
          response: { 302: Redirect, 404: ProblemDetails },
        },
        handler: async (request, reply) => {
          const context = { open: request.inTenant.bind(request), tenant: request.tenant, provider }
          const { location, cookie } = await startSignOn(sso, context, request.query)
          if (cookie) reply.header('set-cookie', cookie)
          return reply.redirect(location)
        },
      })

      app.route({
        method: 'GET',
        url: `/api/auth/sso/${provider}/callback`,
        // All workspaces share one Google client and therefore one redirect URI; the state identifies the workspace.
        config: { public: true, ...(provider === 'google' && { anyHost: true }), limits: [ssoLimit], tag: 'auth' },
        schema: {
          operationId: `finish${titles[provider]}SignIn`,
          summary: `Finish signing in with ${titles[provider]}`,
          description:
            'The provider redirects the browser here. Redirects to `/auth/complete` with a one-time code in the URL fragment, or to `/login` ' +
            'with `sso_error`.',
          querystring: CallbackQuery,
          response: { 302: Redirect, 400: ProblemDetails, 403: ProblemDetails, 404: ProblemDetails },
        },
        handler: async (request, reply) => {
          const { slug, flowId } = await readCallbackState(sso, provider, request.query)
          if (provider === 'google') await request.enterTenant(slug)
          if (request.tenant.slug !== slug) throw invalidSsoState()
          const open = request.inTenant.bind(request)
          const callback = { open, tenant: request.tenant, provider, flowId, params: request.query }
          return reply.redirect(await finishSignOn(sso, callback))
        },
      })
    }

    app.route({
      method: 'POST',
      url: '/api/auth/sso/exchange',
      config: {
        public: true,
        optionalAuth: true,
        humanOnly: true,
        limitedSession: true,
        limits: [signInLimit],
        tag: 'auth',
      },
      schema: {
        operationId: 'exchangeSsoCode',
        summary: 'Exchange a single sign-on code',
        description:
          'Returns tokens for the code in the URL fragment of `/auth/complete`. The code works once, within 60 seconds, and only with the cookie ' +
          'of the browser that started the sign-in. If the sign-in was started with `prompt=login` and the request has an access token, it ' +
          'renews that session instead of creating a new one.',
        body: CodeExchange,
        response: { 200: TokenResponse, 401: ProblemDetails, 403: ProblemDetails },
      },
      handler: async (request, reply) => {
        const { actor, headers, body } = request
        const bearer = { open: request.inTenant.bind(request), actor, cookies: headers.cookie }
        const { tokens, cookie } = await exchangeSsoCode(sso, bearer, body.code)
        reply.header('set-cookie', cookie)
        return deliverTokens(sso.config, reply, tokens, body.refresh_token_delivery)
      },
    })
  }
