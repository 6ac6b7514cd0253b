import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { openAuth } from '../auth/auth-services.ts'
import { UserParams } from '../users/users.schemas.ts'
import { Impersonating, Impersonation } from './impersonation.schemas.ts'
import { actAsUser } from './impersonation.service.ts'

export const impersonationRoutes = (services: Services): Routes => {
  const { tokens, clock } = openAuth(services)
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/api/users/:user_id/impersonate',
      config: {
        scope: 'users.write',
        roles: ['admin'],
        humanOnly: true,
        freshLogin: true,
        withheld: ['access_token'],
      },
      schema: {
        operationId: 'actAsUser',
        summary: 'Act as somebody else for a while',
        description:
          'The person is told, and both names stand on everything that is done. What belongs to their account, such as ' +
          'passwords and API keys, stays out of reach. A second one in the same session ends the first.',
        params: UserParams,
        body: Impersonating,
        response: { 201: Impersonation },
      },
      handler: (request) => {
        const circumstances = { tokens, now: clock.now() }
        const { actor, params, body } = request
        return request.inTenant((tx) => actAsUser(tx, actor, params.user_id, body, circumstances))
      },
    })
  }
}
