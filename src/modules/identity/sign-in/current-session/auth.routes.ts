import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { changePassword } from '../../credentials/passwords/change-password.flow.ts'
import { PasswordChange, PasswordChanged } from '../../credentials/passwords/passwords.schemas.ts'
import { type AuthServices, createAuthServices } from '../../credentials/tokens/auth-services.ts'
import { clearRefreshCookie, deliverTokens } from '../../credentials/tokens/refresh-cookie.ts'
import { logOut, parseLogoutToken } from '../login/login-session.service.ts'
import { publicAuthRoutes } from './auth.public.routes.ts'
import { LoggedOut, LogoutRequest, Me } from './auth.schemas.ts'
import { capabilityPoint } from './capabilities.ts'
import { getMe } from './me.queries.ts'

export const authRoutes = (services: Services): Routes => {
  const auth = createAuthServices(services)
  return async (app) => {
    await app.register(publicAuthRoutes(auth))
    await app.register(signedInRoutes(services, auth))
  }
}

const signedInRoutes =
  ({ config, registry, applicationFiles }: Services, auth: AuthServices): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/auth/logout',
      config: { signedIn: true, limitedSession: true, servedUnderLoad: true, tag: 'auth' },
      schema: {
        operationId: 'logOut',
        summary: 'Sign out',
        description:
          'Revokes the current session. Its access and refresh tokens stop working immediately. `Clear-Site-Data` in the response tells browsers ' +
          'to clear the cache of this host, except at the end of an impersonation.',
        body: LogoutRequest,
        response: { 200: LoggedOut },
      },
      handler: async (request, reply) => {
        clearRefreshCookie(auth.config, request, reply)
        const refresh = await parseLogoutToken(auth.tokens, request.body.refresh_token)
        const loggedOut = await request.inTenant((tx) => logOut(tx, request.actor, refresh))
        // Cookies of other workspaces and rooms, and stored preferences and views, must survive.
        if (request.actor.type === 'user') reply.header('clear-site-data', '"cache"')
        return loggedOut
      },
    })

    app.route({
      method: 'GET',
      url: '/api/auth/me',
      config: { scope: 'users.read', anyCredential: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'getMe',
        summary: 'Get the current user',
        description: 'Shows the user, the workspace and the scopes of the credential that was sent.',
        response: { 200: Me },
      },
      handler: (request, reply) => {
        if (applicationFiles) reply.header('x-app-revision', applicationFiles.revision)
        const context = { config, capabilities: registry.extensionsOf(capabilityPoint) }
        return request.inTenant((tx) => getMe(tx, request.actor, request.tenant, context))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/auth/change-password',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description: 'Revokes all your sessions. Continue with the tokens in the response.',
        body: PasswordChange,
        response: { 200: PasswordChanged },
      },
      handler: async (request, reply) => {
        const changed = await changePassword(auth, request, request.body)
        return deliverTokens(auth.config, reply, changed, request.body.refresh_token_delivery)
      },
    })
  }
