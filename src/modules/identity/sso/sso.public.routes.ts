import { Type } from 'typebox'
import { Problem, type Routes } from '#platform/http'
import { TokenResponse } from '../auth/auth.schemas.ts'
import { exchangeCode } from './exchange-code.flow.ts'
import { finishSignOn, readReturn } from './finish-sign-on.flow.ts'
import { stateInvalid } from './sso.rules.ts'
import { Departure, HandOff, type ProviderName, providerNames, Return } from './sso.schemas.ts'
import type { SsoServices } from './sso-services.ts'
import { startSignOn } from './start-sign-on.flow.ts'

const titles: Record<ProviderName, string> = { google: 'Google', okta: 'Okta' }
const Elsewhere = Type.Null({ description: 'Go on there.' })

export const publicSsoRoutes =
  (sso: SsoServices): Routes =>
  async (app) => {
    for (const provider of providerNames) {
      app.route({
        method: 'GET',
        url: `/api/auth/sso/${provider}`,
        config: { public: true, limit: 'sso', tag: 'auth' },
        schema: {
          operationId: `startSignOnWith${titles[provider]}`,
          summary: `Sign in with ${titles[provider]}`,
          description:
            'For a browser: it is sent to the provider, and comes back to the workspace with a one-time code.',
          querystring: Departure,
          response: { 302: Elsewhere, 404: Problem },
        },
        handler: async (request, reply) => {
          const from = { open: request.inTenant.bind(request), tenant: request.tenant, provider }
          const { location, cookie } = await startSignOn(sso, from, request.query)
          if (cookie) reply.header('set-cookie', cookie)
          return reply.redirect(location)
        },
      })

      app.route({
        method: 'GET',
        url: `/api/auth/sso/${provider}/callback`,
        // All workspaces share one client at Google, so it sends everybody back to one address: the state tells whose they are.
        config: { public: true, ...(provider === 'google' && { anyHost: true }), limit: 'sso', tag: 'auth' },
        schema: {
          operationId: `finishSignOnWith${titles[provider]}`,
          summary: `Come back from ${titles[provider]}`,
          description:
            'Where the provider sends the browser. It goes on to `/auth/complete` with a code behind the #, or to `/login` with a reason.',
          querystring: Return,
          response: { 302: Elsewhere, 400: Problem, 403: Problem, 404: Problem },
        },
        handler: async (request, reply) => {
          const { slug, flowId } = await readReturn(sso, provider, request.query)
          if (provider === 'google') await request.enterTenant(slug)
          if (request.tenant.slug !== slug) throw stateInvalid()
          const open = request.inTenant.bind(request)
          const back = { open, tenant: request.tenant, provider, flowId, returned: request.query }
          return reply.redirect(await finishSignOn(sso, back))
        },
      })
    }

    app.route({
      method: 'POST',
      url: '/api/auth/sso/exchange',
      config: {
        public: true,
        mayBeSignedIn: true,
        humanOnly: true,
        limitedSession: true,
        limit: 'signIn',
        tag: 'auth',
      },
      schema: {
        operationId: 'exchangeCode',
        summary: 'Exchange the code of a sign-on for tokens',
        description:
          'Once, within 60 seconds, and with the cookie of the browser that started the sign-on. Send the access token along to ' +
          'confirm who you are: a sign-on that was started with `prompt=login` then renews that session instead of opening one.',
        body: HandOff,
        response: { 200: TokenResponse, 401: Problem, 403: Problem },
      },
      handler: async (request, reply) => {
        const { actor, headers, body } = request
        const bearer = { open: request.inTenant.bind(request), actor, cookies: headers.cookie }
        const { tokens, cookie } = await exchangeCode(sso, bearer, body.code)
        reply.header('set-cookie', cookie)
        return tokens
      },
    })
  }
